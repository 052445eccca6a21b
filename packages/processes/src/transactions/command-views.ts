import { lstatSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { BulkheadError } from '@bulkhead/protocol';
import type { Sandbox } from '@bulkhead/sandbox';
import type { CommandView } from './command-view.ts';
import { scratchPlace } from './scratch-place.ts';
import { tryView } from './try-view.ts';

/**
 * Chooses the view of a folder for commands: an overlay, else a copy, else the folder itself. A
 * trial decides once for each folder, and its result is kept, so that a command runs as it was
 * checked: if the view stops working, commands are refused; if a better one becomes possible, it is
 * used after a restart.
 */
export class CommandViews {
  readonly #homeScratch: string;
  readonly #sandbox: Pick<Sandbox, 'launch'>;
  readonly #trials = new Map<string, Promise<CommandView>>();
  readonly #known = new Map<string, CommandView>();

  /** @param homeScratch existing folder of the home; without links in it */
  constructor(homeScratch: string, sandbox: Pick<Sandbox, 'launch'>) {
    this.#homeScratch = homeScratch;
    this.#sandbox = sandbox;
  }

  /** @param workingFolder absolute, existing */
  async of(workingFolder: string): Promise<CommandView> {
    const trial = this.#trials.get(workingFolder) ?? this.#look(workingFolder);
    this.#trials.set(workingFolder, trial);
    try {
      const view = await trial;
      this.#known.set(workingFolder, view);
      return view;
    } catch (error) {
      // A full disk, for example: nothing is known, and the next call tries again.
      this.#trials.delete(workingFolder);
      throw error;
    }
  }

  /**
   * Why changes there are made immediately; undefined if they are held back. A folder without a
   * trial holds nothing back.
   */
  problem(workingFolder: string): string | undefined {
    const view = this.#known.get(workingFolder) ?? UNKNOWN;
    return view.kind === 'live' ? view.why : undefined;
  }

  /** True if commands there work on an overlay. A folder without a trial has none. */
  isOverlay(workingFolder: string): boolean {
    return this.#known.get(workingFolder)?.kind === 'overlay';
  }

  async #look(work: string): Promise<CommandView> {
    let place: string;
    try {
      place = scratchPlace(work, this.#homeScratch);
    } catch (error) {
      const { code, message } = BulkheadError.from(error);
      if (code === 'not_available') return { kind: 'live', why: message };
      // A missing folder is another problem, reported when the command begins.
      return { kind: 'overlay' };
    }
    const overlay = await this.#try('overlay', work, place);
    if (overlay === undefined) return { kind: 'overlay' };
    const copy = await this.#try('copy', work, place);
    if (copy === undefined) return { kind: 'copy' };
    const why = `changes in ${work} can't be held back until they are judged (no overlay: ${overlay}; no copy: ${copy})`;
    return { kind: 'live', why };
  }

  async #try(kind: 'overlay' | 'copy', work: string, place: string): Promise<string | undefined> {
    sweepTrials(place);
    const scratch = mkdtempSync(join(place, 'trial-'));
    try {
      return await tryView(this.#sandbox, kind, { work, scratch });
    } finally {
      rmSync(scratch, { recursive: true, force: true });
    }
  }
}

/** A trial takes seconds. The remains of a killed engine's trial may hold a copy of the folder. */
function sweepTrials(place: string): void {
  for (const name of readdirSync(place).filter((one) => one.startsWith('trial-'))) {
    const path = join(place, name);
    const { mtimeMs } = lstatSync(path, { throwIfNoEntry: false }) ?? { mtimeMs: Date.now() };
    if (Date.now() - mtimeMs > TRIAL_MS) rmSync(path, { recursive: true, force: true });
  }
}

/** Milliseconds after which no trial is still running. */
const TRIAL_MS = 600_000;

const UNKNOWN: CommandView = { kind: 'live', why: 'not yet checked whether its changes can be held back' };
