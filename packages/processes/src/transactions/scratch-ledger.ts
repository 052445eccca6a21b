import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { flushFolder, flushFolderSync } from '@bulkhead/files';
import { type ActionFate, BulkheadError, faultPoint } from '@bulkhead/protocol';
import { readCommitMark, type Sandbox } from '@bulkhead/sandbox';
import { scratchPlace } from './scratch-place.ts';

/** Ended transactions whose outcome is kept: a log that a power cut shortened may ask for the last ones. */
const KEPT = 256;
/** All that a settled command leaves. An earlier version wrote its outcome as well: nobody reads it, the journal decides. */
const SETTLED: readonly string[] = ['journal', 'outcome'];
/** In the entry of a command whose changes the launcher was asked to put in place. */
const ASKED = 'commit-asked';
/** In the ledger's folder since it is whole: an entry that is not there was never made, or its action's end was recorded. */
const WHOLE = '.whole';

/** One transaction on the disk. */
interface Entry {
  readonly work: string;
  readonly scratch: string;
  /** A commit of it was asked for. */
  readonly asked: boolean;
}

/**
 * What an entry shows: the fate of its action, or that recovery has to bring its folder in order first (`unsettled`), which
 * it can't while the disk is `away`.
 */
type Look = ActionFate | 'unsettled' | 'away';

/**
 * Every transaction there is, on the disk: `<folder>/<action>/` holds `work`, a link to the working folder, and `box`,
 * the command's scratch folder or a link to it. The journal that the launcher leaves there decides the fate of the action, whatever
 * died: with the mark `committed` it was executed; without a journal no change was put in place, or all were taken back. Both are
 * on the disk before they are said. Before the launcher may write a journal, the entry and `commit-asked` in it are on the
 * disk: so an entry that was not made whole was never asked for a commit, and a scratch folder that is
 * gone although it was is an unknown fate. An entry stays until its action's end is recorded: of one that is not there, the audit log
 * tells whether its action had an end. If the whole folder was taken away, every action that is open then is an unknown fate.
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
    flushFolderSync(entry);
    flushFolderSync(this.#folder);
    mkdirSync(elsewhere, { mode: 0o700 });
    faultPoint('scratch.made');
    return elsewhere;
  }

  /**
   * Brings to the disk that the transaction is there, and that a commit of it was asked for: without it nobody would find its
   * journal after a power cut. Before the launcher is asked.
   */
  async secure(actionId: string): Promise<void> {
    const path = join(this.#folder, actionId);
    writeFileSync(join(path, ASKED), '', { mode: 0o600 });
    const scratch = this.#read(actionId)?.scratch;
    const outside = scratch === undefined || dirname(scratch) === path ? [] : [dirname(scratch)];
    await Promise.all([path, this.#folder, ...outside].map(flushFolder));
  }

  /**
   * Brings the folder of a transaction in order whose launcher has ended, if it isn't.
   *
   * @throws BulkheadError `tool_failed` if that fails: no command may run there until it succeeds, and how it ended is not known
   */
  async finish(actionId: string): Promise<'committed' | 'dropped'> {
    const entry = this.#read(actionId);
    if (entry !== undefined && !isInOrder(entry)) await this.#recover(entry);
    const fate = this.fateOf(actionId);
    if (fate === 'unknown' || fate === undefined) throw unknownEnd(join(this.#folder, actionId));
    return fate === 'executed' ? 'committed' : 'dropped';
  }

  /**
   * What became of an action that was to run as a transaction.
   * @returns undefined if there is no entry: it never began, or its entry was removed, and something else has to tell
   */
  fateOf(actionId: string): ActionFate | undefined {
    const entry = this.#read(actionId);
    if (entry === undefined) {
      if (!existsSync(join(this.#folder, actionId))) return undefined;
      return this.#isAsked(actionId) ? 'unknown' : 'not_executed';
    }
    const look = lookAt(entry);
    return look === 'unsettled' || look === 'away' ? 'unknown' : look;
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
    if (!existsSync(join(this.#folder, WHOLE))) this.#becomeWhole(open);
    // The ids of actions sort by time.
    const ids = this.#ids();
    for (const id of ids) {
      const entry = this.#read(id);
      if (entry === undefined && open.has(id)) continue;
      if (entry === undefined) this.#removeUnlessAsked(id);
      else if (!isInOrder(entry)) await this.#recover(entry).catch(() => {});
    }
    this.#recorded = [];
    for (const id of ids) if (!open.has(id)) this.recorded(id);
    return [...this.#stuck.values()];
  }

  /** In a folder that is new, or was taken away with what it held: an open action without an entry may have been asked for a commit. */
  #becomeWhole(open: ReadonlySet<string>): void {
    for (const id of open) {
      const entry = join(this.#folder, id);
      if (existsSync(entry)) continue;
      mkdirSync(entry, { mode: 0o700 });
      writeFileSync(join(entry, ASKED), '', { mode: 0o600 });
      flushFolderSync(entry);
    }
    writeFileSync(join(this.#folder, WHOLE), '', { mode: 0o600 });
    flushFolderSync(this.#folder);
  }

  #ids(): readonly string[] {
    return readdirSync(this.#folder)
      .filter((name) => name !== WHOLE)
      .toSorted();
  }

  async #recover(entry: Entry): Promise<void> {
    try {
      if (lookAt(entry) === 'away') throw outOfReach(entry);
      await this.#sandbox.recover(entry);
      this.#stuck.delete(entry.work);
    } catch (error) {
      const known = BulkheadError.from(error);
      this.#stuck.set(entry.work, known);
      throw known;
    }
  }

  async #tryAgain(work: string, error: BulkheadError): Promise<void> {
    const entries = this.#ids().flatMap((id) => this.#read(id) ?? []);
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
      return { work: readlinkSync(join(entry, 'work')), scratch, asked: this.#isAsked(actionId) };
    } catch {
      return undefined;
    }
  }

  #isAsked(actionId: string): boolean {
    return existsSync(join(this.#folder, actionId, ASKED));
  }

  #removeUnlessAsked(actionId: string): void {
    if (!this.#isAsked(actionId)) rmSync(join(this.#folder, actionId), { recursive: true, force: true });
  }

  #forget(actionId: string): void {
    const entry = this.#read(actionId);
    // What could not be brought in order holds the only copy of somebody's files.
    if (entry !== undefined && !isInOrder(entry)) return;
    if (entry !== undefined) rmSync(entry.scratch, { recursive: true, force: true });
    rmSync(join(this.#folder, actionId), { recursive: true, force: true });
  }
}

/** True if recovery has nothing to do there. */
function isInOrder(entry: Entry): boolean {
  const look = lookAt(entry);
  return look !== 'unsettled' && look !== 'away';
}

function lookAt(entry: Entry): Look {
  const { scratch } = entry;
  try {
    if (readdirSync(scratch).some((name) => !SETTLED.includes(name))) return 'unsettled';
  } catch (error) {
    return isAbsence(error) ? lookAtAbsence(entry) : 'unsettled';
  }
  const mark = readCommitMark(scratch);
  if (mark === 'none') return 'not_executed';
  return mark === 'committed' ? 'executed' : 'unsettled';
}

/**
 * A scratch folder that isn't there was never made, or its disk isn't, or somebody took it away. Both folders it belongs between
 * must be there for its absence to mean anything.
 */
function lookAtAbsence({ work, scratch, asked }: Entry): Look {
  if (isMissing(work) || isMissing(dirname(scratch))) return 'away';
  return asked ? 'unknown' : 'not_executed';
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

function unknownEnd(entry: string): BulkheadError {
  return new BulkheadError('tool_failed', `how the command ended can't be told by ${entry}`, {
    fix: 'Look at the files it was to change before you do it again',
    details: { entry },
  });
}

function overlaps(a: string, b: string): boolean {
  return a === b || a.startsWith(`${b}/`) || b.startsWith(`${a}/`);
}
