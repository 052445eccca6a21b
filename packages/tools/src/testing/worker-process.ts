import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { Duplex } from 'node:stream';
import { rgPath } from '@vscode/ripgrep';
import { build } from 'esbuild';

/** Bundles the worker as the product does: one file, run by Node. */
export async function bundleWorker(outfile: string): Promise<void> {
  await build({
    entryPoints: [new URL('../worker/main.ts', import.meta.url).pathname],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node24',
    minify: true,
    logLevel: 'error',
  });
}

/** A real worker process without a box; killed when its scope ends. */
export class WorkerProcess implements AsyncDisposable {
  readonly child: ChildProcess;
  readonly connection: Duplex;
  readonly exited: Promise<unknown>;
  stderr = '';

  constructor(bundle: string, token: string, roots: readonly string[], ripgrep = rgPath) {
    const args = [bundle, '--token', token, '--rg', ripgrep, ...roots.flatMap((root) => ['--root', root])];
    this.child = spawn(process.execPath, args, { env: {}, stdio: ['ignore', 'ignore', 'pipe', 'pipe'] });
    const connection = this.child.stdio[3];
    if (!(connection instanceof Duplex)) throw new Error('descriptor 3 is no stream');
    this.connection = connection;
    this.child.stderr?.on('data', (chunk) => {
      this.stderr += String(chunk);
    });
    this.exited = once(this.child, 'exit').then(([code]) => code);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.child.kill('SIGKILL');
    await this.exited;
  }
}
