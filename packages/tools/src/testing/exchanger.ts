import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';

/** A name in the raced folder, the link that replaces it, and the link's target. */
export interface Exchange {
  readonly name: string;
  readonly spare: string;
  readonly target: string;
}

const SOURCE = join(import.meta.dirname, 'exchange.c');

/** As the C program, but three renames replace one exchange: for a moment the name is free. */
const SCRIPT = `
  const fs = require('node:fs');
  const [root, ...words] = process.argv.slice(1);
  const move = (from, to) => {
    try {
      fs.renameSync(root + '/' + from, root + '/' + to);
      return true;
    } catch {
      return false;
    }
  };
  for (;;) {
    for (let at = 0; at < words.length; at += 3) {
      const [name, spare, target] = words.slice(at);
      const parked = 'parked-' + at;
      move(name, parked);
      move(spare, name);
      move(name, spare);
      if (!move(parked, name)) fs.rmSync(root + '/' + parked, { recursive: true, force: true });
      try {
        fs.symlinkSync(target, root + '/' + spare);
      } catch {}
    }
  }`;

/** Another process that swaps names for links and back; killed when its scope ends. */
export class Exchanger implements AsyncDisposable {
  readonly #child: ChildProcess;
  readonly #exited: Promise<unknown>;
  /** `renameat2`, or `rename` without a compiler. */
  readonly means: 'renameat2' | 'rename';

  /** @param build a folder for the compiled program */
  constructor(root: string, exchanges: readonly Exchange[], build: string) {
    for (const { spare, target } of exchanges) symlinkSync(target, join(root, spare));
    const words = exchanges.flatMap(({ name, spare, target }) => [name, spare, target]);
    const program = compiled(build);
    this.means = program === undefined ? 'rename' : 'renameat2';
    const [file, ...args] = program === undefined ? [process.execPath, '-e', SCRIPT] : [program];
    this.#child = spawn(file, [...args, root, ...words], { stdio: 'ignore' });
    this.#exited = once(this.#child, 'exit');
  }

  /** False if it stopped early: then there was no race. */
  get running(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#child.kill('SIGKILL');
    await this.#exited;
  }
}

function compiled(build: string): string | undefined {
  const program = join(build, 'exchange');
  try {
    execFileSync('cc', ['-O2', '-Wall', '-Wextra', '-Werror', '-o', program, SOURCE], { stdio: 'ignore' });
    return program;
  } catch {
    return undefined;
  }
}
