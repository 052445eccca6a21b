import { join } from 'node:path';
import type { Clock, Timers } from '@bulkhead/protocol';
import { AppendFile } from '../append-file.ts';
import { checkpointFileName } from '../audit-files.ts';
import type { Frontier } from '../merkle/frontier.ts';
import { leafHash } from '../merkle/tree-hash.ts';
import { checkpointHash, type KeyChange, NO_CHECKPOINT, type SignedCheckpoint } from './checkpoint.ts';
import { headerLine, noteLine } from './checkpoint-file.ts';
import { makeNextKey, type SigningKey, takeOver } from './signing-key.ts';

/** Longest wait of a durable entry for its signature (FR8). */
const MOST_MS = 1_000;
/** Most entries without a signature. */
const MOST_ENTRIES = 64;

export interface CheckpointerParts {
  readonly folder: string;
  readonly key: SigningKey;
  readonly clock: Clock;
  readonly timers: Timers;
  /** The tree over all entries on the disk. */
  readonly tree: Frontier;
  readonly last: SignedCheckpoint | undefined;
  readonly file: AppendFile;
  /** Called with each checkpoint once it is durable. */
  readonly onSigned: (checkpoint: SignedCheckpoint) => void;
  /** Called once: nothing is signed any more. */
  readonly onFailure: (error: unknown) => void;
}

/**
 * Grows the tree with durable entries, and signs it: each second with new entries, or each 64 of
 * them. Makes one checkpoint at a time; under load the next one covers all entries since.
 */
export class Checkpointer {
  readonly #parts: CheckpointerParts;
  #file: AppendFile;
  #last: SignedCheckpoint | undefined;
  #key: SigningKey;
  #next: SigningKey | undefined;
  #timer: Disposable | undefined;
  #underWay: Promise<void> | undefined;
  #failure: { readonly cause: unknown } | undefined;

  constructor(parts: CheckpointerParts) {
    this.#parts = parts;
    this.#file = parts.file;
    this.#last = parts.last;
    this.#key = parts.key;
    this.#schedule();
  }

  get last(): SignedCheckpoint | undefined {
    return this.#last;
  }

  /**
   * Creates a key that takes over with the next checkpoint, which both sign. Append an entry
   * afterwards, so that there is a next one.
   * @returns both, in the format of C2SP signed-note
   */
  changeKey(): KeyChange {
    const from = this.#key.verifier;
    this.#next = makeNextKey(this.#parts.folder, from.origin);
    return { from: from.text, to: this.#next.verifier.text };
  }

  /** @param lines entries that became durable, in order */
  grow(lines: readonly string[]): void {
    for (const line of lines) this.#parts.tree.append(leafHash(line));
    this.#schedule();
  }

  /** Signs all entries, and waits for it. @throws the error of signing */
  async settle(): Promise<void> {
    while (this.#pending > 0 && this.#failure === undefined) {
      this.#begin();
      await this.#underWay;
    }
    if (this.#failure !== undefined) throw this.#failure.cause;
  }

  /** Continues in the file with this number. All entries must be signed. */
  async rotate(number: number): Promise<void> {
    const next = new AppendFile(join(this.#parts.folder, checkpointFileName(number)), 'new');
    this.#file.close();
    this.#file = next;
    next.put(`${headerLine(this.#parts.tree)}\n`);
    await next.flush();
  }

  close(): void {
    this.#timer?.[Symbol.dispose]();
    this.#file.close();
  }

  get #pending(): number {
    return this.#parts.tree.size - (this.#last?.size ?? 0);
  }

  #schedule(): void {
    if (this.#pending === 0 || this.#failure !== undefined || this.#underWay !== undefined) return;
    if (this.#pending >= MOST_ENTRIES) this.#begin();
    else this.#timer ??= this.#parts.timers.after(MOST_MS, () => this.#begin());
  }

  #begin(): void {
    this.#clearTimer();
    if (this.#underWay !== undefined || this.#failure !== undefined || this.#pending === 0) return;
    this.#underWay = this.#sign().then(
      () => {
        this.#underWay = undefined;
        this.#schedule();
      },
      (error: unknown) => {
        this.#underWay = undefined;
        this.#failure = { cause: error };
        this.#parts.onFailure(error);
      },
    );
  }

  /** Never concurrently: each names the one before. */
  async #sign(): Promise<void> {
    const { tree, clock, folder } = this.#parts;
    this.#clearTimer();
    const next = this.#next;
    const content = {
      size: tree.size,
      root: tree.root(),
      time: new Date(clock.now()).toISOString(),
      previous: this.#last === undefined ? NO_CHECKPOINT : checkpointHash(this.#last.note),
    };
    const signed = this.#key.sign(content, next);
    this.#file.put(`${noteLine(signed.note)}\n`);
    await this.#file.flush();
    if (next !== undefined) {
      takeOver(folder, next);
      this.#key = next;
      this.#next = undefined;
    }
    this.#last = signed;
    this.#parts.onSigned(signed);
  }

  #clearTimer(): void {
    this.#timer?.[Symbol.dispose]();
    this.#timer = undefined;
  }
}
