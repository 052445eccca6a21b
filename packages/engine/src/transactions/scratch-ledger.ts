import {
  closeSync,
  existsSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { open } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type ActionFate, BulkheadError, faultPoint } from '@bulkhead/protocol';
import type { Sandbox } from '@bulkhead/sandbox';
import { scratchPlace } from './scratch-place.ts';

/** Ended transactions whose outcome is kept: a log that a power cut shortened may ask for the last ones. */
const KEPT = 256;
const OUTCOME = 'outcome';
const SETTLED: readonly string[] = [OUTCOME, 'journal'];

/** One transaction on the disk. */
interface Entry {
  readonly work: string;
  readonly scratch: string;
}

/**
 * Every transaction there is, on the disk: `<folder>/<action>/` holds `work`, a link to the working folder, and `box`,
 * the command's scratch folder or a link to it. The launcher writes the outcome there before it says it, so the fate of
 * an action can be told whatever died: committed, or not carried out. An entry stays until its action's end is recorded.
 */
export class ScratchLedger {
  readonly #folder: string;
  readonly #sandbox: Pick<Sandbox, 'recover'>;
  /** Actions whose end is recorded, oldest first. */
  #recorded: string[] = [];
  /** Working folders that could not be brought in order, and why. */
  readonly #stuck = new Map<string, BulkheadError>();

  /**
   * @param folder of the home, existing, without links in it; only one engine uses it (the instance lock)
   */
  constructor(folder: string, sandbox: Pick<Sandbox, 'recover'>) {
    this.#folder = folder;
    this.#sandbox = sandbox;
  }

  /**
   * Deals with what an earlier command left half done in a folder, or one in it or around it.
   *
   * @throws BulkheadError `tool_failed` if that is not in order: no command may run there
   */
  async mend(workingFolder: string): Promise<void> {
    for (const [work, error] of this.#stuck) {
      if (overlaps(work, workingFolder)) await this.#tryAgain(work, error);
    }
  }

  /**
   * Notes a transaction before it begins. What an earlier one left half done in its folder is dealt with first.
   *
   * @returns its empty scratch folder
   * @throws BulkheadError `not_available` without a place for it; `tool_failed` if its folder is not in order
   */
  async begin(actionId: string, workingFolder: string): Promise<string> {
    await this.mend(workingFolder);
    const place = scratchPlace(workingFolder, this.#folder);
    const entry = join(this.#folder, actionId);
    const box = join(entry, 'box');
    mkdirSync(entry, { mode: 0o700 });
    symlinkSync(workingFolder, join(entry, 'work'));
    if (place === this.#folder) {
      mkdirSync(box, { mode: 0o700 });
      faultPoint('scratch.made');
      return box;
    }
    const elsewhere = join(place, actionId);
    // The way to it before it is there: nothing may lie about that nobody knows of.
    symlinkSync(elsewhere, box);
    syncFolder(entry);
    syncFolder(this.#folder);
    mkdirSync(elsewhere, { mode: 0o700 });
    faultPoint('scratch.made');
    return elsewhere;
  }

  /**
   * Brings to the disk that the transaction is there: without it nobody would find its journal after a power loss. Before the
   * first of its changes is put in place.
   */
  async secure(actionId: string): Promise<void> {
    for (const path of [join(this.#folder, actionId), this.#folder]) {
      await using folder = await open(path, 'r');
      await folder.sync();
    }
  }

  /**
   * Brings the folder of a transaction in order whose launcher has ended, if it isn't.
   *
   * @throws BulkheadError `tool_failed` if that fails: no command may run there until it succeeds
   */
  async finish(actionId: string): Promise<'committed' | 'dropped'> {
    const entry = this.#read(actionId);
    if (entry === undefined) return 'dropped';
    if (!isInOrder(entry)) await this.#recover(entry);
    return outcomeOf(entry.scratch) === 'committed' ? 'committed' : 'dropped';
  }

  /** What became of an action that was to run as a transaction. One that is not here never began. */
  fateOf(actionId: string): ActionFate {
    const entry = this.#read(actionId);
    if (entry === undefined) return 'not_executed';
    if (isOutOfReach(entry) || (this.#stuck.has(entry.work) && !isInOrder(entry))) return 'unknown';
    return outcomeOf(entry.scratch) === 'committed' ? 'executed' : 'not_executed';
  }

  /** The end of the action is in its session's log: its entry may go when newer ones have come. */
  recorded(actionId: string): void {
    if (!existsSync(join(this.#folder, actionId))) return;
    this.#recorded.push(actionId);
    while (this.#recorded.length > KEPT) this.#forget(this.#recorded.shift() ?? '');
  }

  /**
   * At start, before anything runs: brings every folder in order that a crash left half changed.
   *
   * @param open actions without an end in the log: their entries stay
   * @returns what could not be mended, one error for each folder
   */
  async recover(open: ReadonlySet<string>): Promise<readonly BulkheadError[]> {
    // The ids of actions sort by time.
    const ids = readdirSync(this.#folder).toSorted();
    for (const id of ids) {
      const entry = this.#read(id);
      if (entry === undefined) rmSync(join(this.#folder, id), { recursive: true, force: true });
      else if (!isInOrder(entry)) await this.#recover(entry).catch(() => {});
    }
    this.#recorded = [];
    for (const id of ids) if (!open.has(id)) this.recorded(id);
    return [...this.#stuck.values()];
  }

  async #recover(entry: Entry): Promise<void> {
    try {
      if (isOutOfReach(entry)) throw outOfReach(entry);
      await this.#sandbox.recover(entry);
      this.#stuck.delete(entry.work);
    } catch (error) {
      const known = BulkheadError.from(error);
      this.#stuck.set(entry.work, known);
      throw known;
    }
  }

  async #tryAgain(work: string, error: BulkheadError): Promise<void> {
    const entries = readdirSync(this.#folder).flatMap((id) => this.#read(id) ?? []);
    const left = entries.filter((entry) => entry.work === work && !isInOrder(entry));
    if (left.length === 0) throw error;
    for (const entry of left) await this.#recover(entry);
  }

  /** Undefined for an entry that was not made whole: nothing was begun under it. */
  #read(actionId: string): Entry | undefined {
    const entry = join(this.#folder, actionId);
    try {
      const box = join(entry, 'box');
      const scratch = lstatSync(box).isSymbolicLink() ? readlinkSync(box) : box;
      return { work: readlinkSync(join(entry, 'work')), scratch };
    } catch {
      return undefined;
    }
  }

  #forget(actionId: string): void {
    const entry = this.#read(actionId);
    // What could not be brought in order holds the only copy of somebody's files.
    if (entry !== undefined && !isInOrder(entry)) return;
    if (entry !== undefined) rmSync(entry.scratch, { recursive: true, force: true });
    rmSync(join(this.#folder, actionId), { recursive: true, force: true });
  }
}

/** True if nothing is left but the outcome, and the journal it was told by. */
function isInOrder(entry: Entry): boolean {
  const { scratch } = entry;
  try {
    const names = readdirSync(scratch);
    return names.length === 0 || (names.includes(OUTCOME) && names.every((name) => SETTLED.includes(name)));
  } catch (error) {
    return isAbsence(error) && !isOutOfReach(entry);
  }
}

/**
 * A scratch folder that isn't there was never made, or its disk isn't: then nothing can be told. Both folders it belongs
 * between must be there for its absence to mean anything.
 */
function isOutOfReach({ work, scratch }: Entry): boolean {
  return isMissing(scratch) && (isMissing(work) || isMissing(dirname(scratch)));
}

function isMissing(path: string): boolean {
  try {
    lstatSync(path);
    return false;
  } catch (error) {
    return isAbsence(error);
  }
}

function isAbsence(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}

function outOfReach({ work, scratch }: Entry): BulkheadError {
  return new BulkheadError(
    'tool_failed',
    `how a command in ${work} ended can't be told: ${scratch} is not there`,
    {
      fix: 'Mount the disk it lies on, then `bulkhead restart`',
      details: { work },
    },
  );
}

function outcomeOf(scratch: string): string {
  try {
    return readFileSync(join(scratch, OUTCOME), 'latin1').trim();
  } catch {
    return '';
  }
}

function overlaps(a: string, b: string): boolean {
  return a === b || a.startsWith(`${b}/`) || b.startsWith(`${a}/`);
}

function syncFolder(path: string): void {
  const fd = openSync(path, 'r');
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}
