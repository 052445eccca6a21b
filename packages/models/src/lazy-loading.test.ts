import { build } from 'esbuild';
import { expect, it } from 'vitest';

it('loads no provider package before the first request', async () => {
  const entry = new URL('./index.ts', import.meta.url).pathname;
  const built = await build({
    entryPoints: [entry],
    bundle: true,
    write: false,
    metafile: true,
    format: 'esm',
    platform: 'node',
    splitting: true,
    outdir: 'unused',
  });
  const [main] = Object.entries(built.metafile.outputs).filter(([, output]) =>
    output.entryPoint?.endsWith('models/src/index.ts'),
  );
  const eager = new Set<string>();
  const follow = (path: string): void => {
    if (eager.has(path)) return;
    eager.add(path);
    for (const { kind, path: next } of built.metafile.outputs[path]?.imports ?? []) {
      if (kind === 'import-statement') follow(next);
    }
  };
  follow(main?.[0] ?? '');
  const inputs = [...eager].flatMap((path) => Object.keys(built.metafile.outputs[path]?.inputs ?? {}));
  expect(inputs.some((input) => input.endsWith('create-model-client.ts'))).toBe(true);
  expect(inputs.filter((input) => input.includes('@ai-sdk') || input.includes('node_modules/zod'))).toEqual(
    [],
  );
  for (const lazy of ['@ai-sdk/anthropic', '@ai-sdk/openai/', '@ai-sdk/google', 'providers/ollama.ts']) {
    expect(Object.keys(built.metafile.inputs).some((input) => input.includes(lazy))).toBe(true);
    expect(inputs.some((input) => input.includes(lazy))).toBe(false);
  }
});
