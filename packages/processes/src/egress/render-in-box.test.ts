import { spawn } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { systemTimers } from '@bulkhead/protocol';
import { createSandbox, locateLauncher, nodeRuntimeFiles, type Sandbox } from '@bulkhead/sandbox';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { renderInBox } from './render-in-box.ts';

const sandboxPackage = dirname(dirname(fileURLToPath(import.meta.resolve('@bulkhead/sandbox'))));
const rendererSource = join(dirname(fileURLToPath(import.meta.resolve('@bulkhead/tools'))), 'web/main.ts');

let folder: string;
let sandbox: Sandbox;
beforeAll(async () => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'bulkhead-render-')));
  const nodePath = process.execPath;
  const runtimeFiles = await nodeRuntimeFiles(nodePath);
  sandbox = createSandbox({
    launcherPath: locateLauncher(sandboxPackage),
    nodePath,
    runtimeFiles,
    scratch: folder,
    nameSpaces: { agent: true, worker: true },
  });
  await build({
    entryPoints: [rendererSource],
    outfile: join(folder, 'renderer.mjs'),
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node24',
    logLevel: 'error',
  });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const document = {
  contentType: 'text/html',
  url: 'https://example.test/',
  maxBytes: 10_000,
  as: 'page',
} as const;

/** A renderer of the given script, in the box or, as the control, outside it. */
function rendererOf(script: string, { boxed = true, renderMs = 15_000 } = {}) {
  const unboxed: Pick<Sandbox, 'launch'> = {
    launch: (_box, { file, args, stdio }) => spawn(file, args, { env: {}, stdio }),
  };
  return renderInBox({
    sandbox: boxed ? sandbox : unboxed,
    nodePath: process.execPath,
    script,
    timers: { after: (ms, run) => systemTimers.after(Math.min(ms, renderMs), run) },
    log: () => undefined,
    gate: (start) => start(),
  });
}

/** Writes a hostile renderer. */
function scriptOf(name: string, text: string): string {
  const path = join(folder, `${name}.mjs`);
  const head = `import { Socket } from 'node:net';
    const engine = new Socket({ fd: 3, allowHalfOpen: true });
    engine.resume();
    const answer = (text) => engine.end(JSON.stringify({ kind: 'text', title: '', text, links: [], truncated: false }));\n`;
  writeFileSync(path, head + text);
  return path;
}

describe('a renderer', () => {
  it('makes text of a page in the box [FR12] [B4]', async () => {
    const page = Buffer.from(`<title>T</title><p>${'word '.repeat(100_000)}`);
    const text = await rendererOf(join(folder, 'renderer.mjs'))(page, document, AbortSignal.timeout(15_000));
    expect(text).toMatchObject({ kind: 'page', title: 'T', truncated: true });
    expect(text.text).toHaveLength(10_000);
  });

  it('whose code is the attacker’s reaches no file, no program, no network and no environment [FR12]', async () => {
    let reached = 0;
    const server = createServer((socket) => {
      reached += 1;
      socket.destroy();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    writeFileSync(join(folder, 'secret'), 'canary');
    const script = scriptOf(
      'hostile',
      `import { readFileSync, writeFileSync } from 'node:fs';
       import { spawnSync } from 'node:child_process';
       import { connect } from 'node:net';
       const tried = (name, work) => { try { work(); return name + ' worked'; } catch (error) { return name + ' refused'; } };
       const tcp = await new Promise((resolve) => {
         try {
           const socket = connect(${port}, '127.0.0.1');
           socket.once('connect', () => resolve('tcp worked'));
           socket.once('error', () => resolve('tcp refused'));
         } catch { resolve('tcp refused'); }
       });
       answer([
         tcp,
         tried('read', () => readFileSync(${JSON.stringify(join(folder, 'secret'))})),
         tried('write', () => writeFileSync(${JSON.stringify(join(folder, 'planted'))}, 'x')),
         tried('spawn', () => { const { error } = spawnSync('/bin/true'); if (error) throw error; }),
         'environment ' + Object.keys(process.env).length,
       ].join());`,
    );
    const run = (boxed: boolean) =>
      rendererOf(script, { boxed })(Buffer.from('x'), document, AbortSignal.timeout(15_000));
    try {
      expect((await run(true)).text).toBe(
        'tcp refused,read refused,write refused,spawn refused,environment 0',
      );
      expect(reached).toBe(0);
      // The control: without the box all attempts succeed.
      expect((await run(false)).text).toBe('tcp worked,read worked,write worked,spawn worked,environment 0');
      expect(reached).toBe(1);
    } finally {
      server.close();
    }
  });

  it.each([
    ['never ends', 'for (;;);', 500],
    ['takes all memory', 'const kept = []; for (;;) kept.push(new Array(1e5).fill(1.5));', 15_000],
    [
      'says too much',
      "const all = 'x'.repeat(1e6); const more = () => { while (engine.write(all)); }; engine.on('drain', more); more();",
      15_000,
    ],
    ['says nonsense', "engine.end('{}');", 15_000],
    ['dies', 'process.exit(3);', 15_000],
  ])('that %s fails its page and nothing else [FR12]', async (name, code, renderMs) => {
    const script = scriptOf(name.replaceAll(' ', '-'), code);
    const rendering = rendererOf(script, { renderMs })(
      Buffer.from('x'),
      document,
      AbortSignal.timeout(14_000),
    );
    await expect(rendering).rejects.toMatchObject({ code: 'tool_failed' });
  });

  it('ends with its call', async () => {
    const script = scriptOf('waits', 'setInterval(() => {}, 1e6);');
    const controller = new AbortController();
    const rendering = rendererOf(script)(Buffer.from('x'), document, controller.signal);
    setTimeout(() => controller.abort(new Error('over')), 200);
    await expect(rendering).rejects.toThrow('over');
  });
});
