import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Check } from './check.ts';
import { resultOf } from './result.ts';
import { runProgram } from './run-program.ts';

/** The committed generated code equals the code from the `.proto` files. */
export const generated: Check = {
  name: 'generated',
  mend: 'Run `npm run generate` and commit what changes; never edit packages/protocol/src/gen by hand.',
  async run({ root, env, signal }) {
    const fresh = await mkdtemp(join(tmpdir(), 'bulkhead-generated-'));
    try {
      const result = await runProgram(join(root, 'node_modules', '.bin', 'buf'), ['generate', '-o', fresh], {
        cwd: join(root, 'packages/protocol'),
        env,
        signal,
      });
      if (result.code !== 0) return resultOf([result.output]);
      const expected = await readTree(join(fresh, 'src/gen'));
      const committed = await readTree(join(root, 'packages/protocol/src/gen'));
      return resultOf(differences(committed, expected), `${expected.size} files`);
    } finally {
      await rm(fresh, { recursive: true, force: true });
    }
  },
};

async function readTree(folder: string): Promise<Map<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return new Map(
    await Promise.all(
      files.map(
        async (path): Promise<[string, string]> => [
          path.slice(folder.length + 1),
          await readFile(path, 'utf8'),
        ],
      ),
    ),
  );
}

function differences(
  committed: ReadonlyMap<string, string>,
  expected: ReadonlyMap<string, string>,
): string[] {
  const names = [...new Set([...committed.keys(), ...expected.keys()])].sort();
  return names
    .filter((name) => committed.get(name) !== expected.get(name))
    .map((name) => {
      if (!expected.has(name)) return `${name} comes from no .proto file`;
      return `${name} is ${committed.has(name) ? 'not what is generated now' : 'missing'}`;
    });
}
