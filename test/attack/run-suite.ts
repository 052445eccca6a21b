import type { Sandbox } from '@bulkhead/sandbox';
import { createSandbox, locateLauncher, nodeRuntimeFiles } from '@bulkhead/sandbox';
import { Arms } from './arms.ts';
import { type Arm, type Attempt, type BoxKind, type Judged, judge } from './attempt.ts';
import { bashAttempts } from './bash-attempts.ts';
import type { ShellView } from './launch-on-view.ts';
import { IN_WORK } from './listeners.ts';
import { endsWithItsLauncher, type Fact, type Look, lookFromOutside } from './look-from-outside.ts';
import { nodeAttempts } from './node-attempts.ts';
import { startOtherBox } from './other-box.ts';
import { NoBoxError, type Result, runBatch } from './run-batch.ts';
import type { World } from './world.ts';

/**
 * Counts of outside observers during the attacks. All must be zero, except for attempts marked
 * `known`.
 */
interface Oracles {
  readonly canaries: number;
  readonly connections: readonly string[];
  readonly changedOutside: number;
}

/** The results of all attacks on one launcher. */
export interface SuiteReport {
  readonly judged: readonly Judged[];
  readonly facts: readonly Fact[];
  readonly oracles: Oracles;
  /** Boxes that could not be made, with the reasons. */
  readonly noBox: Readonly<Partial<Record<BoxKind, string>>>;
}

/** Attacks launchers, all with the same controls. */
export class Suite {
  readonly #world: World;
  readonly #arms: Arms;
  readonly #attempts: readonly Attempt[];
  readonly #runtimeFiles: readonly string[];
  readonly #view: ShellView;
  readonly #controls = new Map<string, Result>();

  private constructor(
    world: World,
    arms: Arms,
    attempts: readonly Attempt[],
    runtimeFiles: readonly string[],
    view: ShellView,
  ) {
    this.#world = world;
    this.#arms = arms;
    this.#attempts = attempts;
    this.#runtimeFiles = runtimeFiles;
    this.#view = view;
  }

  /**
   * Tries everything outside of all boxes first.
   * @param native attempts of the native program; none without a compiler
   * @param view the view of shell commands
   */
  static async prepare(world: World, native: readonly Attempt[], view: ShellView): Promise<Suite> {
    const runtimeFiles = await nodeRuntimeFiles(process.execPath);
    const arms = await Arms.prepare(world, runtimeFiles, view);
    const suite = new Suite(world, arms, [...native, ...nodeAttempts, ...bashAttempts], runtimeFiles, view);
    await suite.#control();
    return suite;
  }

  /** Controls' reads and arrivals: an oracle that saw nothing here is useless. */
  get controls(): { readonly canaries: number; readonly arrived: ReadonlyMap<string, number> } {
    const canaries = [...this.#controls.values()].reduce((sum, result) => sum + result.canaries, 0);
    return { canaries, arrived: new Map(this.#world.listeners.arrived) };
  }

  /**
   * @param packageRoot folder whose `prebuilt` holds the launcher
   * @param boxes which kinds to attack
   * @param nameSpaces whether agents and workers get their second wall
   */
  async attack(packageRoot: string, boxes: readonly BoxKind[], nameSpaces: boolean): Promise<SuiteReport> {
    const sandbox = createSandbox({
      launcherPath: locateLauncher(packageRoot),
      nodePath: process.execPath,
      runtimeFiles: this.#runtimeFiles,
      scratch: this.#world.folder,
      nameSpaces: { agent: nameSpaces, worker: nameSpaces },
    });
    using session = this.#view === 'overlay' ? await sandbox.keepSession() : undefined;
    const judged: Judged[] = [];
    const facts: Fact[] = [];
    const noBox: Partial<Record<BoxKind, string>> = {};
    const before = new Map(this.#world.listeners.arrived);
    let changedOutside = 0;
    for (const box of boxes) {
      const look = { box, nameSpaces, view: this.#view, session };
      try {
        facts.push(...(await lookFromOutside(sandbox, this.#world, look)));
        facts.push(await endsWithItsLauncher(packageRoot, this.#world, look));
        await using other = await startOtherBox(sandbox, this.#world);
        this.#world.aimAt(other.pid);
        await this.#world.plant();
        const snapshot = await this.#world.snapshot();
        for (const arm of ['native', 'node', 'bash'] as const) {
          judged.push(...(await this.#attackWith(sandbox, look, arm)));
        }
        if ((await this.#world.snapshot()) !== snapshot) changedOutside += 1;
      } catch (error) {
        if (!(error instanceof NoBoxError)) throw error;
        noBox[box] = error.message;
      }
    }
    const connections = [...this.#world.listeners.arrived]
      .filter(([name, count]) => name !== IN_WORK && count > (before.get(name) ?? 0))
      .map(([name]) => name);
    const canaries = judged
      .filter(({ verdict }) => verdict !== 'known')
      .reduce((sum, one) => sum + one.canaries, 0);
    return { judged, facts, oracles: { canaries, connections, changedOutside }, noBox };
  }

  async #attackWith(sandbox: Sandbox, { box, nameSpaces, session }: Look, arm: Arm): Promise<Judged[]> {
    const attempts = this.#attempts.filter((one) => one.arm === arm && one.expected[box] !== undefined);
    const names = attempts.map(({ name }) => name);
    const start = await this.#arms.boxed(sandbox, box, arm, session);
    const results = await runBatch(names, this.#world.canary, start);
    return attempts.map((attempt) =>
      judge(
        attempt,
        box,
        results.get(attempt.name) ?? { outcome: 'nothing', detail: '', canaries: 0 },
        this.#controls.get(attempt.name)?.outcome ?? 'untried',
        nameSpaces,
      ),
    );
  }

  async #control(): Promise<void> {
    for (const arm of ['native', 'node', 'bash'] as const) {
      const names = this.#attempts
        .filter((one) => one.arm === arm && typeof one.control === 'string')
        .map(({ name }) => name);
      const results = await runBatch(names, this.#world.canary, await this.#arms.unboxed(arm));
      for (const [name, result] of results) this.#controls.set(name, result);
      await this.#world.plant();
    }
  }
}
