import {
  type DailyNote,
  type MemoryHit,
  type MemorySource,
  type ProfileFile,
  type ProfileFiles,
  recentNotes,
  Topic,
} from '@bulkhead/memory';
import { type Clock, describeError, type Redaction, type Timers } from '@bulkhead/protocol';
import type { Label } from '@bulkhead/shield';
import { localDay } from './local-day.ts';
import { type MemoryLabels, worst } from './memory-labels.ts';
import type { MemoryView, ViewOf } from './memory-view.ts';

/** Chunks that a turn is shown. */
const CHUNKS = 5;
/** Chunks that a text which is in the prompt anyway may have: so many more are looked for. */
const PROMPT_CHUNKS = 4;
/** Days whose notes are in every prompt. */
const NOTE_DAYS = 3;
/**
 * How long a turn waits, milliseconds: for the index to be made one with the files, for the question's vector of a provider (then words
 * alone answer), for the whole search. Together less than a turn waits for memory (`EngineMind`), or what stands already is lost too.
 */
const SYNC_MS = 1_000;
const VECTOR_MS = 500;
const SEARCH_MS = 800;
/** Hits this much worse than the best are not shown. */
const LEAST_SHARE = 0.3;
/** More of a message says no more what it is about, characters. */
const MAX_QUERY = 2_000;
/** `AGENTS.md` is in every prompt; past sessions are searched only on request. */
const RECALLED: readonly MemorySource[] = ['memory', 'daily', 'heartbeat', 'knowledge'];

/** The memory that a turn is shown. */
export interface Recalled {
  /** Nearest first. */
  readonly chunks: readonly MemoryHit[];
  /** The newest last. */
  readonly notes: readonly DailyNote[];
  /** All of `MEMORY.md`, if it is small and carries no label: none of the chunks is of it then. */
  readonly whole?: string;
}

/** Lines of unknown origin count as anyone's. */
const UNKNOWN: Label = { secrecy: 'internal', trust: 'external' };

const NOTHING: Recalled = { chunks: [], notes: [] };

interface ServiceParts {
  /** False: turns are shown none of it. A person may search all the same. */
  readonly isEnabled: boolean;
  /** True if a provider's vectors take part in a search. */
  readonly byMeaning: boolean;
  readonly files: ProfileFiles;
  readonly view: MemoryView;
  readonly labels: MemoryLabels;
  readonly timers: Timers;
  readonly clock: Pick<Clock, 'now'>;
  readonly redaction: Redaction;
  /** Puts into the session's log what it is shown, before it is. */
  shown(sessionId: string, text: string, label: Label | undefined): void;
  /** Hears why a turn goes on without its memory. */
  tell(problem: string): void;
}

/** The results of memory: for a turn without a request, for a tool, for a person. */
export class MemoryService {
  readonly #parts: ServiceParts;

  constructor(parts: ServiceParts) {
    this.#parts = parts;
  }

  /**
   * The memory for a turn: the pieces nearest to the message, and the notes of the last days. From
   * now on the session carries their labels. Never rejects and never delays a turn: without memory
   * the turn goes on, and a notice says so.
   */
  async recall(turn: {
    readonly sessionId: string;
    readonly message: string;
    /** Milliseconds since 1970. */
    readonly now: number;
  }): Promise<Recalled> {
    const recalled = await this.#find(turn.message, turn.now).catch((error: unknown) => {
      this.#parts.tell(`a turn went on without memory: ${describeError(error)}`);
      return NOTHING;
    });
    try {
      return this.#show(turn.sessionId, recalled);
    } catch (error) {
      // The label is unknown, and USER.md is in the prompt all the same.
      this.#parts.tell(`a turn went on without memory: ${describeError(error)}`);
      this.#parts.shown(turn.sessionId, 'USER.md', UNKNOWN);
      return NOTHING;
    }
  }

  /**
   * @param limit 1 or more
   * @throws BulkheadError if the index can't be opened
   */
  async search(query: string, limit: number): Promise<readonly MemoryHit[]> {
    const index = await this.#parts.view.current();
    if (index === undefined) return [];
    const now = new Date(this.#parts.clock.now());
    const hits = await index.search(query, { limit, now });
    return hits.map((hit) => this.#redacted(hit));
  }

  /** The files of memory, with size and age. */
  files(): readonly ProfileFile[] {
    return this.#parts.view.files();
  }

  /** @returns how many texts the new index is a view of */
  reindex(): Promise<number> {
    return this.#parts.view.rebuild();
  }

  /** Opens the index ahead of the first question, if there is anything to find. */
  async warm(of: ViewOf = 'all'): Promise<void> {
    try {
      await this.#parts.view.current(of);
    } catch (error) {
      this.#parts.tell(`memory can't be searched: ${describeError(error)}`);
    }
  }

  async #find(message: string, now: number): Promise<Recalled> {
    if (!this.#parts.isEnabled || this.files().length === 0) return NOTHING;
    const notes = recentNotes(this.#parts.files, localDay(now), NOTE_DAYS);
    const whole = this.#wholeMemory();
    const inPrompt = new Set([
      ...notes.map(({ path }) => path),
      ...(whole === undefined ? [] : [MEMORY_FILE]),
    ]);
    const hits = await this.#nearest(message, now, CHUNKS + PROMPT_CHUNKS * inPrompt.size);
    const best = hits[0]?.score ?? 0;
    // Vectors of a provider find what shares no word; without them such a hit is only the least bad of all.
    const topic = this.#parts.byMeaning ? undefined : new Topic(message, new Date(now));
    const chunks = hits.filter(
      (hit) => !inPrompt.has(hit.path) && hit.score >= LEAST_SHARE * best && topic?.isIn(hit) !== false,
    );
    return { chunks: chunks.slice(0, CHUNKS), notes, ...(whole === undefined ? {} : { whole }) };
  }

  /** Undefined if one of its lines carries a label too: every session would carry it, whatever it is about. */
  #wholeMemory(): string | undefined {
    const text = smallMemory(this.#parts.files);
    return text === undefined || this.#parts.labels.ofText(text) !== undefined ? undefined : text;
  }

  async #nearest(message: string, now: number, limit: number): Promise<readonly MemoryHit[]> {
    const { view } = this.#parts;
    const query = message.slice(0, MAX_QUERY);
    if (query.trim() === '') return [];
    const index =
      (await this.#within(SYNC_MS, view.current('files'), 'the index is not ready')) ?? (await view.standing);
    if (index === undefined) return [];
    const options = { limit, now: new Date(now), sources: RECALLED, vectorWithin: VECTOR_MS };
    const hits = await this.#within(SEARCH_MS, index.search(query, options), 'the search took too long');
    return hits ?? [];
  }

  #show(sessionId: string, recalled: Recalled): Recalled {
    const { labels, shown, redaction } = this.#parts;
    // In every prompt without being searched, and writable by `memory_write`.
    const user = labels.ofFile('USER.md');
    const chunks = recalled.chunks.map((hit) => this.#redacted(hit));
    const notes = recalled.notes.map((note) => ({ ...note, text: redaction.redact(note.text) }));
    const whole = recalled.whole === undefined ? {} : { whole: redaction.redact(recalled.whole) };
    const texts = [...[...chunks, ...notes].map(({ text }) => text), ...Object.values(whole)];
    if (texts.length === 0 && user === undefined) return NOTHING;
    // Lines are known by all they say: of what is redacted no line would be.
    const label = worst([
      labels.ofHits(recalled.chunks),
      ...recalled.notes.map(({ text }) => labels.ofText(text)),
      user?.label,
    ]);
    shown(sessionId, [...texts, user?.text ?? ''].join('\n\n').trim(), label);
    return { chunks, notes, ...whole };
  }

  #redacted(hit: MemoryHit): MemoryHit {
    return { ...hit, text: this.#parts.redaction.redact(hit.text) };
  }

  /** Undefined if it takes longer; what comes late is dropped. */
  async #within<Value>(ms: number, work: Promise<Value>, what: string): Promise<Value | undefined> {
    const late = Promise.withResolvers<undefined>();
    using _timer = this.#parts.timers.after(ms, () => {
      this.#parts.tell(`${what} (${ms} ms): this turn goes on without`);
      late.resolve(undefined);
    });
    // The loser of the race must not end the process.
    work.catch(() => {});
    return await Promise.race([work, late.promise]);
  }
}

const MEMORY_FILE = 'MEMORY.md';

/** Some 300 tokens: less than the five nearest chunks take. */
const MOST_CHARACTERS = 1_200;
/** Most that so many characters are as UTF-8. */
const MOST_BYTES = 4 * MOST_CHARACTERS;

/** @returns all of `MEMORY.md`, if that is cheaper than to look things up in it; undefined if it isn't, or says nothing */
function smallMemory(files: Pick<ProfileFiles, 'read'>): string | undefined {
  const read = readPlain(files);
  if (read === undefined || read.isCut) return undefined;
  const text = new TextDecoder().decode(read.bytes).trim();
  return text === '' || text.length > MOST_CHARACTERS ? undefined : text;
}

function readPlain(files: Pick<ProfileFiles, 'read'>): ReturnType<ProfileFiles['read']> {
  try {
    return files.read(MEMORY_FILE, MOST_BYTES);
  } catch {
    // The list of files reports its problem.
    return undefined;
  }
}
