import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { Duplex } from 'node:stream';
import { PROTOCOL_VERSION } from '@bulkhead/protocol';
import { rgPath } from '@vscode/ripgrep';
import { build, type Plugin } from 'esbuild';

/**
 * Bundles the worker as the product does: one file, run by Node.
 * @param version of the protocol that this worker speaks
 */
export async function bundleWorker(outfile: string, version = PROTOCOL_VERSION): Promise<void> {
  await build({
    entryPoints: [new URL('../worker/main.ts', import.meta.url).pathname],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node24',
    minify: true,
    logLevel: 'error',
    plugins: [ofVersion(version)],
  });
}

/** A real worker process without a box; killed when its scope ends. */
export class WorkerProcess implements AsyncDisposable {
  readonly child: ChildProcess;
  readonly connection: Duplex;
  readonly exited: Promise<unknown>;
  stderr = '';

  /** @param protocol version that the engine claims */
  constructor(bundle: string, token: string, roots: readonly string[], protocol = PROTOCOL_VERSION) {
    const own = ['--token', token, '--protocol', String(protocol), '--rg', rgPath];
    const args = [bundle, ...own, ...roots.flatMap((root) => ['--root', root])];
    this.child = spawn(process.execPath, args, { env: {}, stdio: ['ignore', 'ignore', 'pipe', 'pipe'] });
    const connection = this.child.stdio[3];
    if (!(connection instanceof Duplex)) throw new Error('descriptor 3 is no stream');
    this.connection = connection;
    this.child.stderr?.on('data', (chunk) => {
      this.stderr += String(chunk);
    });
    this.exited = once(this.child, 'close').then(([code]) => code);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.child.kill('SIGKILL');
    await this.exited;
  }
}

/** Replaces the number of the protocol's version: a build of older or newer sources. */
function ofVersion(version: number): Plugin {
  return {
    name: 'protocol-version',
    setup: ({ onLoad }) =>
      onLoad({ filter: /\/protocol\/src\/version\.ts$/ }, async ({ path }) => {
        const source = await readFile(path, 'utf8');
        const contents = source.replace(/(PROTOCOL_VERSION = )\d+/, `$1${version}`);
        return { contents, loader: 'ts' };
      }),
  };
}
