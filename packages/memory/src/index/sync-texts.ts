import { setImmediate } from 'node:timers/promises';
import type { IndexChange } from '../chunks/chunk-facts.ts';
import type { MemorySource } from '../memory-hit.ts';
import { type FindPorts, type FoundText, findText } from './find-text.ts';
import type { IndexWriter, KnownText } from './index-writer.ts';
import type { MemoryText } from './memory-text.ts';
import type { PreparedText } from './prepared-text.ts';

/** The result of a sync, in numbers of texts. */
export interface SyncReport {
  readonly indexed: number;
  readonly unchanged: number;
  readonly removed: number;
  /** Could not be read: their index entries stay. */
  readonly failed: number;
}

export interface SyncOptions {
  /**
   * The texts are complete for these sources: other indexed texts of them are removed. Default:
   * all.
   */
  readonly sources?: readonly MemorySource[];
  readonly signal?: AbortSignal;
}

/** The dependencies of a sync. */
export interface SyncPorts extends FindPorts {
  readonly writer: IndexWriter;
  /** Called with each transaction, before anything is read. */
  onChange(change: IndexChange): void;
}

/**
 * A transaction is written at this many chunks or texts: only whole texts, with short waits for
 * searches.
 */
const PER_WRITE = 256;

/**
 * Updates the index to match the texts. Detects changes by the state on the disk, then by hash.
 * Concurrent searches see whole texts, old or new.
 * @throws the signal's reason, or a database error; earlier writes stay
 */
export async function syncTexts(
  ports: SyncPorts,
  texts: readonly MemoryText[],
  { sources, signal }: SyncOptions,
): Promise<SyncReport> {
  const known = ports.writer.known();
  const wanted = byPath(texts);
  const counts = { same: 0, touched: 0, changed: 0, missing: 0, failed: 0 };
  const batch = new Batch(ports);
  for (const text of wanted.values()) {
    signal?.throwIfAborted();
    const found = await findText(ports, text, known.get(text.path));
    counts[found.kind] += 1;
    batch.add(text.path, found);
    await setImmediate();
  }
  const gone = [...known]
    .filter(([path, text]) => !wanted.has(path) && isOf(text, sources))
    .map(([path]) => path);
  const missing = [...wanted.keys()].filter((path) => batch.missing.has(path) && known.has(path));
  batch.end([...gone, ...missing]);
  return {
    indexed: counts.changed,
    unchanged: counts.same + counts.touched,
    removed: gone.length + missing.length,
    failed: counts.failed,
  };
}

/** The first text of each path. */
function byPath(texts: readonly MemoryText[]): ReadonlyMap<string, MemoryText> {
  const wanted = new Map<string, MemoryText>();
  for (const text of texts) if (!wanted.has(text.path)) wanted.set(text.path, text);
  return wanted;
}

function isOf({ source }: KnownText, sources: readonly MemorySource[] | undefined): boolean {
  return sources === undefined || sources.some((one) => one === source);
}

/** Results until they are written. */
class Batch {
  readonly missing = new Set<string>();
  readonly #ports: SyncPorts;
  #changed: PreparedText[] = [];
  #size = 0;

  constructor(ports: SyncPorts) {
    this.#ports = ports;
  }

  add(path: string, found: FoundText): void {
    if (found.kind === 'missing') this.missing.add(path);
    if (found.kind === 'touched') this.#ports.writer.setVersion(path, found.version);
    if (found.kind !== 'changed') return;
    this.#changed.push(found.text);
    this.#size += 1 + found.text.chunks.length;
    if (this.#size >= PER_WRITE) this.#write([]);
  }

  end(removed: readonly string[]): void {
    if (this.#changed.length > 0 || removed.length > 0) this.#write(removed);
  }

  #write(removed: readonly string[]): void {
    this.#ports.onChange(this.#ports.writer.write(this.#changed, removed));
    this.#changed = [];
    this.#size = 0;
  }
}
