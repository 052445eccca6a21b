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
import type { Sandbox } from '@bulkhead/sandbox';
import {
  type Entry,
  isInOrder,
  type LaterPart,
  laterMark,
  laterRemains,
  laterScratch,
  lookAt,
  unsettledLater,
} from './ledger-entry.ts';
import { scratchPlace } from './scratch-place.ts';

/** Ended transactions that are kept: a log shortened by a power cut may need the last ones. */
const KEPT = 256;
/** Present in the entry of a command if the launcher was asked to commit it. */
const ASKED = 'commit-asked';
/** Marks a complete ledger: a missing entry was never made, or its action's end was recorded. */
const WHOLE = '.whole';

/**
 * All transactions, on disk: `<folder>/<action>/` holds `work`, a link to the working folder, and
 * `box`, the command's scratch folder or a link to it. After any crash, the launcher's journal in
 * there decides the fate of the action: with the mark `committed` it was executed; without a
 * journal no change was made, or all were rolled back. Both are on disk before they are reported.
 * Before the launcher may write a journal, the entry and `commit-asked` in it are on disk: so an
 * incomplete entry never had a commit request, and a scratch folder that is gone despite one is an
 * unknown outcome. An entry stays until its action's end is recorded: for a missing one, the audit
 * log shows whether its action had an end. If the whole folder was removed, every action open at
 * that time is an unknown outcome.
 */
export class ScratchLedger {
  readonly #folder: string;
  readonly #sandbox: Pick<Sandbox, 'recover'>;
  /** Actions whose end is recorded, oldest first. */
  #recorded: string[] = [];
  readonly #held = new Set<string>();
  /** Working folders that could not be repaired, with the error. */
  readonly #stuck = new Map<string, BulkheadError>();

  /** @param folder existing, in the home, without links; one engine uses it (instance lock) */
  constructor(folder: string, sandbox: Pick<Sandbox, 'recover'>) {
    this.#folder = folder;
    this.#sandbox = sandbox;
  }

  /**
   * Repairs unfinished changes of earlier commands in this folder, or in one inside or around it.
   *
   * @throws BulkheadError `tool_failed` if that fails: no command may run there
   */
  async mend(workingFolder: string): Promise<void> {
    for (const [work, error] of this.#stuck) {
      if (overlaps(work, workingFolder)) await this.#tryAgain(work, error);
    }
  }

  /**
   * Records a transaction before it begins, after repairing unfinished changes in its folder.
   *
   * @returns its empty scratch folder
   * @throws BulkheadError `not_available` without a place for it; `tool_failed` if repair fails
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
    // The link before its target: no scratch folder may exist without a record.
    symlinkSync(elsewhere, box);
    flushFolderSync(entry);
    flushFolderSync(this.#folder);
    mkdirSync(elsewhere, { mode: 0o700 });
    faultPoint('scratch.made');
    return elsewhere;
  }

  /**
   * Flushes the transaction's entry and the request to commit it: without them its journal would be
   * lost after a power cut. Call before the launcher is asked.
   */
  async secure(actionId: string): Promise<void> {
    const path = join(this.#folder, actionId);
    writeFileSync(join(path, ASKED), '', { mode: 0o600 });
    const scratch = this.#read(actionId)?.scratch;
    const outside = scratch === undefined || dirname(scratch) === path ? [] : [dirname(scratch)];
    await Promise.all([path, this.#folder, ...outside].map(flushFolder));
  }

  /**
   * Repairs the folder of a transaction whose launcher has ended, if needed.
   *
   * @throws BulkheadError `tool_failed` if that fails: blocks the folder, with unknown outcome
   */
  async finish(actionId: string): Promise<'committed' | 'dropped'> {
    const entry = this.#read(actionId);
    if (entry !== undefined && !isInOrder(entry)) await this.#recover(entry);
    const fate = this.fateOf(actionId);
    if (fate === 'unknown' || fate === undefined) throw unknownEnd(join(this.#folder, actionId));
    return fate === 'executed' ? 'committed' : 'dropped';
  }

  /**
   * The same for what processes wrote that went on after the action. Its launcher has ended, or does
   * nothing more about that part.
   *
   * @throws BulkheadError `tool_failed`, as `finish`
   */
  async finishLater(actionId: string, part: LaterPart = 'held'): Promise<'committed' | 'dropped'> {
    const entry = this.#read(actionId);
    if (entry === undefined || !existsSync(entry.scratch)) throw unknownEnd(join(this.#folder, actionId));
    if (!isInOrder(entry)) await this.#recover(entry);
    return laterMark(entry, part) === 'committed' ? 'committed' : 'dropped';
  }

  /** True if what went on after the action had its changes committed, as far as the disk tells now. */
  keptLater(actionId: string): boolean {
    const entry = this.#read(actionId);
    return entry !== undefined && laterMark(entry, 'held') === 'committed';
  }

  /**
   * The fate of an action that was to run as a transaction.
   * @returns undefined without an entry: it never began, or its entry was removed
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

  /**
   * The view of an ended action is still in use: its entry stays. @returns dispose when it is not
   */
  hold(actionId: string): Disposable {
    this.#held.add(actionId);
    return { [Symbol.dispose]: () => void this.#held.delete(actionId) };
  }

  /** The action's end is in its session's log: newer entries may replace its entry. */
  recorded(actionId: string): void {
    if (!existsSync(join(this.#folder, actionId))) return;
    this.#recorded.push(actionId);
    for (let more = this.#recorded.length - KEPT; more > 0; more -= 1) {
      const oldest = this.#recorded.shift() ?? '';
      if (this.#held.has(oldest)) this.#recorded.push(oldest);
      else this.#forget(oldest);
    }
  }

  /**
   * At start, before anything runs: repairs every folder that a crash left half changed.
   *
   * @param open actions without an end in the log: their entries stay
   * @returns failed repairs, one error for each folder
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
      // Nothing runs: what was not committed is of no use, and may be large.
      else await this.#recoverLater(entry, laterRemains(entry)).catch(() => {});
    }
    this.#recorded = [];
    for (const id of ids) if (!open.has(id)) this.recorded(id);
    return [...this.#stuck.values()];
  }

  /** In a new or emptied ledger: an open action without an entry may have had a commit request. */
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
      // First: the command's own recovery removes it.
      await this.#recoverLater(entry, unsettledLater(entry));
      if (!isInOrder(entry)) await this.#sandbox.recover(entry);
      this.#stuck.delete(entry.work);
    } catch (error) {
      const known = BulkheadError.from(error);
      this.#stuck.set(entry.work, known);
      throw known;
    }
  }

  async #recoverLater(entry: Entry, parts: readonly LaterPart[]): Promise<void> {
    for (const part of parts)
      await this.#sandbox.recover({ work: entry.work, scratch: laterScratch(entry, part) });
  }

  async #tryAgain(work: string, error: BulkheadError): Promise<void> {
    const entries = this.#ids().flatMap((id) => this.#read(id) ?? []);
    const left = entries.filter((entry) => entry.work === work && !isInOrder(entry));
    if (left.length === 0) throw error;
    for (const entry of left) await this.#recover(entry);
  }

  /** Undefined for an incomplete entry: nothing was begun under it. */
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
    // An unrepaired one holds the only copy of user files.
    if (entry !== undefined && !isInOrder(entry)) return;
    if (entry !== undefined) rmSync(entry.scratch, { recursive: true, force: true });
    rmSync(join(this.#folder, actionId), { recursive: true, force: true });
  }
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
