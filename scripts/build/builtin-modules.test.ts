import { execFileSync } from 'node:child_process';
import { build } from 'esbuild';
import { describe, expect, it } from 'vitest';
import { builtinModules } from './builtin-modules.ts';

/** The values that a one-file program prints, bundled as processes are. */
async function run(contents: string): Promise<{ readonly text: string; readonly said: unknown }> {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: import.meta.dirname },
    bundle: true,
    format: 'esm',
    platform: 'node',
    write: false,
    plugins: [builtinModules()],
  });
  const text = outputFiles[0]?.text ?? '';
  const out = execFileSync(process.execPath, ['--input-type=module', '-'], { input: text });
  return { text, said: JSON.parse(String(out)) };
}

describe('modules of Node.js in a bundle', () => {
  it('give the names that are imported, in each way of importing', async () => {
    const { said } = await run(`
      import path, { join } from 'node:path';
      import * as os from 'os';
      import { readFile } from 'node:fs/promises';
      console.log(JSON.stringify([join('a', 'b'), path.sep, typeof os.cpus, typeof readFile]));`);
    expect(said).toEqual(['a/b', '/', 'function', 'function']);
  });

  it('give the whole to require', async () => {
    const { said } = await run(`
      const { posix } = require('path');
      console.log(JSON.stringify(posix.basename('/a/b')));`);
    expect(said).toBe('b');
  });

  it('start nothing without a request', async () => {
    const { text, said } = await run(`
      import { STATUS_CODES } from 'node:http';
      const loaded = process.moduleLoadList.some((name) => name.includes('undici'));
      console.log(JSON.stringify([STATUS_CODES[200], loaded]));`);
    expect(said).toEqual(['OK', false]);
    expect(text).not.toContain('WebSocket');
  });

  it('leave other modules alone', async () => {
    await expect(run(`import 'no-such-module';`)).rejects.toThrow('no-such-module');
  });
});
