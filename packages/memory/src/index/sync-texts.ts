import { setImmediate } from 'node:timers/promises';
import type { IndexChange } from '../chunks/chunk-facts.ts';
import type { MemorySource } from '../memory-hit.ts';
import { type FindPorts, type FoundText, findText } from './find-text.ts';
import type { IndexWriter, KnownText } from './index-writer.ts';
import type { MemoryText } from './memory-text.ts';
import type { PreparedText } from './prepared-text.ts';

/** What a sync did, in texts. */
export interface SyncReport {
  readonly indexed: number;
  readonly unchanged: number;
  readonly removed: number;
  /** Could not be read: what was known of them stays. */
  readonly failed: number;
}

export interface SyncOptions {
  /** The texts are all there are of these sources: what is indexed of them beside is removed. Default: of all. */
  readonly sources?: readonly MemorySource[];
  readonly signal?: AbortSignal;
}

/** What a sync works with. */
export interface SyncPorts extends FindPorts {
  readonly writer: IndexWriter;
  /** Told of each transaction, before anything is read. */
  onChange(change: IndexChange): void;
}

/** A transaction is written once it has so many chunks or texts: whole texts, and no search waits long for it. */
const PER_WRITE = 256;

/**
 * Brings the index in step with the texts. What changed is told by the state on the disk, then by hash. Searches in between see whole
 * texts, old or new.
 * @throws the signal's reason, or what the database says; what is written by then stays
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

/** What was found, until it is written. */
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
