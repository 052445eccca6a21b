import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Chronicle, type ChronicleOptions } from '../chronicle.ts';
import type { ChronicleStep } from '../chronicle-step.ts';
import { type RollbackReport, type RollbackRequest, Rollbacks } from '../rollback/rollbacks.ts';

/** A working folder and a chronicle beside it, both real. */
export class ChronicleStage implements Disposable {
  readonly root: string;
  readonly folder: string;
  readonly options: ChronicleOptions;
  chronicle: Chronicle;
  rollbacks: Rollbacks;
  onStep: ((step: ChronicleStep) => void) | undefined;
  /** The wall clock. */
  time = 1_700_000_000_000;
  /** Confirmed time. */
  confirmed = 0;
  #ids = 0;

  constructor(options: Partial<ChronicleOptions> = {}) {
    this.root = realpathSync(mkdtempSync(join(tmpdir(), 'bulkhead-chronicle-')));
    this.folder = join(this.root, 'work');
    mkdirSync(this.folder);
    this.options = {
      folder: join(this.root, 'chronicle'),
      retention: { snapshots: 100, days: 30, maxBytes: 1e12 },
      now: () => this.time,
      confirmed: () => this.confirmed,
      onStep: (step) => this.onStep?.(step),
      ...options,
    };
    this.chronicle = Chronicle.open(this.options);
    this.rollbacks = this.#rollbacks();
  }

  /** Opens it again, as a new engine would. */
  reopen(): void {
    this.chronicle = Chronicle.open(this.options);
    this.rollbacks = this.#rollbacks();
  }

  id(): string {
    this.#ids += 1;
    return `A${String(this.#ids).padStart(6, '0')}`;
  }

  /** One action: keeps the state of named paths, acts, and records the state after. */
  async act(paths: readonly (string | Buffer)[], act: () => void, run = 'run'): Promise<string> {
    const id = await this.take(paths, run);
    act();
    await this.chronicle.finish(id);
    return id;
  }

  async take(paths: readonly (string | Buffer)[], run = 'run'): Promise<string> {
    const id = this.id();
    await this.chronicle.take({
      id,
      run,
      session: 'session',
      tool: 'test',
      about: '',
      folder: this.folder,
      paths: paths.map((path) => ({ path: Buffer.from(path) })),
    });
    return id;
  }

  rollBack(undoes: readonly string[], fields: Partial<RollbackRequest> = {}): Promise<RollbackReport> {
    return this.rollbacks.run({ id: this.id(), undoes, skipConflicts: false, dryRun: false, ...fields });
  }

  path(name: string): string {
    return join(this.folder, name);
  }

  #rollbacks(): Rollbacks {
    return new Rollbacks({
      chronicle: this.chronicle,
      journals: `${this.options.folder}/rollbacks`,
      onStep: (step) => this.onStep?.(step),
    });
  }

  [Symbol.dispose](): void {
    rmSync(this.root, { recursive: true, force: true });
  }
}
