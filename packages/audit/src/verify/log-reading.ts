import { auditFileName, checkpointFileName } from '../audit-files.ts';
import { type ChainHead, GENESIS } from '../chain.ts';
import { checkFile } from '../check-file.ts';
import type { SignedCheckpoint } from '../checkpoint/checkpoint.ts';
import { checkCheckpoints } from '../checkpoint/checkpoint-file.ts';
import type { KeyRing } from '../checkpoint/key-ring.ts';
import { Frontier } from '../merkle/frontier.ts';
import { prefixedLeafHash } from '../merkle/tree-hash.ts';
import type { BadEntry, SignedPart } from './audit-verification.ts';
import { type ExpectedRoot, ExpectedRoots } from './expected-roots.ts';

/** The existing files of a number. */
interface Files {
  readonly entries: boolean;
  readonly checkpoints: boolean;
  readonly isLast: boolean;
}

/** The position of a checkpoint. */
interface SignedPlace {
  readonly checkpoint: SignedCheckpoint;
  readonly file: string;
  readonly line: number;
}

/** Reads the log from its start, file by file, and compares it with all its signatures. */
export class LogReading {
  readonly #folder: string;
  readonly #signal: AbortSignal | undefined;
  readonly #vouched: number;
  readonly #keys: KeyRing | string;
  readonly #tree = new Frontier();
  readonly #roots = new ExpectedRoots();
  #head: ChainHead = GENESIS;
  #from = 0;
  #checkpoints = 0;
  #isSigned = false;
  #last: SignedPlace | undefined;
  #unsigned: BadEntry | undefined;
  #signedUpTo = 0;

  /**
   * @param vouched size of a signed checkpoint: up to there only the tree is recomputed, not the
   * chain; 0 also verifies each signature separately, to find the first bad one
   * @param keys the signing keys; the reason if they are unknown
   */
  constructor(parts: {
    readonly folder: string;
    readonly signal?: AbortSignal | undefined;
    readonly vouched: number;
    readonly keys: KeyRing | string;
  }) {
    this.#keys = parts.keys;
    this.#folder = parts.folder;
    this.#signal = parts.signal;
    this.#vouched = parts.vouched;
  }

  /** Good entries so far. */
  get entries(): number {
    return this.#head.n;
  }

  get signed(): Omit<SignedPart, 'key'> | undefined {
    if (this.#last === undefined) return undefined;
    return { checkpoints: this.#checkpoints, from: this.#from, to: this.#last.checkpoint.size };
  }

  expect(roots: readonly ExpectedRoot[]): void {
    this.#roots.expect(roots);
  }

  /** @returns the first problem of a file of entries, or of the checkpoints beside it */
  async read(number: number, has: Files): Promise<BadEntry | undefined> {
    const file = auditFileName(number);
    if (!has.entries) return this.#bad(file, 1, 'the file is missing');
    const checkpointsBad = await this.#readCheckpoints(number, has.checkpoints);
    const check = await checkFile(this.#folder, number, this.#head, {
      signal: this.#signal,
      vouched: this.#vouched,
      visit: (line) => {
        this.#tree.append(prefixedLeafHash(line));
        this.#roots.compare(this.#tree);
      },
    });
    this.#head = check.head;
    if (this.#roots.differing !== undefined) return this.#roots.differing;
    if (check.bad !== undefined) return this.#bad(file, check.lines + 1, check.bad);
    if (check.lines === 0 && !has.isLast) return this.#bad(file, 1, 'the file is empty');
    return checkpointsBad;
  }

  /** Call it at the end. @returns signed entries that are missing */
  unreached(): BadEntry | undefined {
    const { unreached } = this.#roots;
    if (unreached === undefined) return undefined;
    const { file, line, size } = unreached;
    return this.#bad(
      file,
      line,
      `it was signed over ${size} entries, and the log ends after ${this.entries}`,
    );
  }

  /** One signature covers all checkpoints: each names the one before it. */
  signatureProblem(): BadEntry | undefined {
    if (this.#last === undefined) {
      // A key without files of checkpoints: they were removed. Neither: a log of a version without
      // them.
      return typeof this.#keys === 'string' || this.#isSigned
        ? undefined
        : { file: checkpointFileName(1), line: 1, n: 1, reason: 'the checkpoints are missing' };
    }
    if (typeof this.#keys === 'string') {
      const { file, line } = this.#last;
      return { file, line, n: 1, reason: this.#keys };
    }
    if (this.#vouched > 0) this.#checkSignature(this.#last, this.#keys);
    return this.#unsigned;
  }

  #checkSignature({ checkpoint, file, line }: SignedPlace, keys: KeyRing): void {
    const reason = keys.problem(checkpoint);
    if (reason === undefined) this.#signedUpTo = checkpoint.size;
    else this.#unsigned ??= { file, line, n: this.#signedUpTo + 1, reason };
  }

  async #readCheckpoints(number: number, isThere: boolean): Promise<BadEntry | undefined> {
    const file = checkpointFileName(number);
    if (!isThere) {
      return this.#isSigned ? this.#bad(file, 1, 'the file is missing') : undefined;
    }
    this.#isSigned = true;
    const roots: ExpectedRoot[] = [];
    const check = await checkCheckpoints(this.#folder, number, this.#last?.checkpoint, (checkpoint, line) => {
      roots.push({ size: checkpoint.size, root: checkpoint.root, file, line });
      this.#last = { checkpoint, file, line };
      if (this.#vouched === 0 && typeof this.#keys !== 'string') this.#checkSignature(this.#last, this.#keys);
    });
    this.#checkpoints += roots.length;
    this.#from ||= roots[0]?.size ?? 0;
    this.#roots.expect(roots);
    if (check.bad !== undefined) return this.#bad(file, check.lines + 1, check.bad);
    const same = check.start?.size === this.#tree.size && check.start.root() === this.#tree.root();
    return same ? undefined : this.#bad(file, 1, 'it is not the tree at the start of this file');
  }

  #bad(file: string, line: number, reason: string): BadEntry {
    return { file, line, n: this.entries + 1, reason };
  }
}
