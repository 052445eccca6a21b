import { type ChildProcess, spawn } from 'node:child_process';
import { statSync } from 'node:fs';
import { copyFile, writeFile } from 'node:fs/promises';
import type { Box, Sandbox, SessionSpaces } from '@bulkhead/sandbox';
import { boxedNodeArguments } from '@bulkhead/sandbox';
import type { Arm, BoxKind } from './attempt.ts';
import { bashAttackScript, bashAttempts } from './bash-attempts.ts';
import { launchOnView, type ShellView } from './launch-on-view.ts';
import { nodeAttackModule, nodeAttempts } from './node-attempts.ts';
import { type World, worldMaxProcesses } from './world.ts';

const ENV = { PATH: '/usr/sbin:/usr/bin:/sbin:/bin' };

/** The suite's boxes, in the product's form, around one program. */
export function boxAround(kind: BoxKind, world: World, readable: readonly string[]): Box {
  switch (kind) {
    case 'agent':
      return { kind, read: readable };
    case 'worker':
      return { kind, read: readable, write: [world.work], execute: [process.execPath] };
    case 'shell':
      return {
        kind,
        workingFolder: world.work,
        home: world.home,
        readOnly: readable,
        protect: [world.protected],
        hide: [`${world.work}/hidden`, `${world.beside}/.env`],
        deny: [world.denied, world.nested, `${world.beside}/deep/key.pem`],
        neighbours: [{ path: world.beside, inode: statSync(world.beside, { bigint: true }).ino }],
        limits: { maxProcesses: worldMaxProcesses, maxFileBytes: 1024 ** 3, maxOpenFiles: 256 },
      };
  }
}

interface Command {
  readonly file: string;
  readonly args: readonly string[];
  /** The files that the box must let it read to run at all. */
  readonly readable: readonly string[];
}

/** How to start each arm with the remaining attempts. */
export class Arms {
  readonly #world: World;
  readonly #runtimeFiles: readonly string[];
  readonly #view: ShellView;

  private constructor(world: World, runtimeFiles: readonly string[], view: ShellView) {
    this.#world = world;
    this.#runtimeFiles = runtimeFiles;
    this.#view = view;
  }

  static async prepare(world: World, runtimeFiles: readonly string[], view: ShellView): Promise<Arms> {
    await writeFile(`${world.folder}/bin/attack.mjs`, nodeAttackModule(nodeAttempts));
    await writeFile(`${world.outside}/module.cjs`, 'module.exports = 1;\n');
    // Any library works: Node reports whether it could load it.
    const library = runtimeFiles.find((path) => path.includes('libm.')) ?? process.execPath;
    await copyFile(library, `${world.outside}/library.node`);
    return new Arms(world, runtimeFiles, view);
  }

  /** Starts the attacker in a box. */
  async boxed(
    sandbox: Sandbox,
    kind: BoxKind,
    arm: Arm,
    session: SessionSpaces | undefined,
  ): Promise<(names: readonly string[]) => ChildProcess> {
    await this.#writeScript();
    return (names) => {
      const { file, args, readable } = this.#command(arm, names);
      const program = { file, args, cwd: this.#world.work, env: arm === 'bash' ? ENV : {} };
      const place = { view: this.#view, folder: this.#world.folder, session };
      return launchOnView(sandbox, boxAround(kind, this.#world, readable), program, place);
    };
  }

  /** Starts it without a box, with the launching process's rights: the control. */
  async unboxed(arm: Arm): Promise<(names: readonly string[]) => ChildProcess> {
    await this.#writeScript();
    return (names) => {
      const { file, args } = this.#command(arm, names);
      return spawn(file, arm === 'node' ? args.slice(boxedNodeArguments.length) : args, {
        cwd: this.#world.work,
        stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
      });
    };
  }

  async #writeScript(): Promise<void> {
    await writeFile(
      `${this.#world.folder}/bin/attack.sh`,
      bashAttackScript(bashAttempts, this.#world.targets()),
    );
  }

  #command(arm: Arm, names: readonly string[]): Command {
    const { folder, attack, work, secret, outside } = this.#world;
    if (arm === 'native') {
      return {
        file: attack,
        args: ['run', ...this.#world.targets(), '--', ...names],
        readable: [attack, ...this.#runtimeFiles],
      };
    }
    if (arm === 'bash') {
      const script = `${folder}/bin/attack.sh`;
      return { file: '/bin/bash', args: [script, ...names], readable: [script] };
    }
    const text = new Map(this.#world.targets().map((target) => split(target)));
    const targets = {
      secret,
      closed: outside,
      work,
      socket: text.get('socket'),
      abstract: text.get('abstract'),
      tcp4: Number(text.get('tcp4')),
      udp4: Number(text.get('udp4')),
      parent: Number(text.get('parent')),
      module: `${outside}/module.cjs`,
      library: `${outside}/library.node`,
    };
    const script = `${folder}/bin/attack.mjs`;
    return {
      file: process.execPath,
      args: [...boxedNodeArguments, script, JSON.stringify(targets), ...names],
      readable: [script],
    };
  }
}

function split(target: string): [string, string] {
  const at = target.indexOf('=');
  return [target.slice(0, at), target.slice(at + 1)];
}
