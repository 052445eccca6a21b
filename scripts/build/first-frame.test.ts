import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { expect, it } from 'vitest';
import { builtinModules } from './builtin-modules.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const FRAME = 'packages/cli/src/chat/ui/screen-chat.ts';

/** Code read before the terminal UI draws: the library's editor is two thirds of it. Bytes. */
const BUDGET = 260_000;

it('reads little before the first frame of the terminal UI: no wire, no Markdown, no lists [I2]', async () => {
  const { metafile } = await build({
    absWorkingDir: ROOT,
    entryPoints: [FRAME],
    outdir: 'never-written',
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node24',
    minifySyntax: true,
    plugins: [builtinModules()],
    metafile: true,
    write: false,
    logLevel: 'silent',
  });
  const { outputs } = metafile;
  const [start = ''] = Object.keys(outputs).filter((name) => outputs[name]?.entryPoint === FRAME);
  const read = new Set([start]);
  for (const file of read)
    for (const { kind, external, path } of outputs[file]?.imports ?? [])
      if (kind === 'import-statement' && external !== true) read.add(path);
  const inputs = [...read].flatMap((file) => Object.keys(outputs[file]?.inputs ?? {}));
  expect(inputs).toContain('packages/tui/src/app/screen.ts');
  expect(
    inputs.filter((name) => /bufbuild|marked|markdown|picker|engine-client|chat-commands/.test(name)),
  ).toEqual([]);
  expect([...read].reduce((sum, file) => sum + (outputs[file]?.bytes ?? 0), 0)).toBeLessThan(BUDGET);
});
