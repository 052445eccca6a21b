import { inertLine, type SessionEvent } from '@bulkhead/protocol';
import { ClientService, type SessionSummary } from '@bulkhead/protocol/client';
import { firstLine } from '@bulkhead/protocol/transcript';
import type { Api } from '../api/api.ts';
import { summariesAfter, withNewest } from './session-summaries.ts';

const PAUSE_MS = 400;
/** Number of newest sessions loaded at first; older ones are loaded on request. */
const NEWEST = 200;
/** The engine's own limit. */
const ALL = 0;
/**
 * Sessions get a title after their third exchange: until then the first words name this many of the
 * newest.
 */
const NAMED = 40;

/**
 * Sessions, newest first, with their activity. An event updates its session's line directly: only
 * an unknown session is loaded.
 */
export class SessionList {
  readonly #api: Api;
  readonly #setTimer: (work: () => void, milliseconds: number) => void;
  #list: readonly SessionSummary[] = $state.raw([]);
  #working: ReadonlySet<string> = $state.raw(new Set());
  #firstWords: ReadonlyMap<string, string> = $state.raw(new Map());
  /** Unnamed sessions whose first words are being loaded. */
  #unread: ReadonlySet<string> = $state.raw(new Set());
  /** Sessions with events that the list does not contain. */
  readonly #unknown = new Set<string>();
  #isWhole = $state(false);

  constructor(api: Api, setTimer: (work: () => void, milliseconds: number) => void) {
    this.#api = api;
    this.#setTimer = setTimer;
  }

  get list(): readonly SessionSummary[] {
    return this.#list;
  }

  find(id: string): SessionSummary | undefined {
    return this.#list.find(({ sessionId }) => sessionId === id);
  }

  /** A session's name: its title, its first words, or the word for a new one. */
  nameOf(id: string): string {
    const session = this.find(id);
    if (session === undefined && id === '') return 'No session';
    if (session === undefined) return this.#isWhole ? 'A deleted session' : 'An older session';
    if (session.title !== '') return inertLine(session.title);
    return inertLine(this.#firstWords.get(id) ?? (this.#unread.has(id) ? '…' : 'New session'));
  }

  isWorking(id: string): boolean {
    return this.#working.has(id);
  }

  /** @returns undefined for an unknown session */
  async lookUp(id: string): Promise<SessionSummary | undefined> {
    if (this.find(id) === undefined) await this.refresh();
    if (this.find(id) === undefined) await this.readAll();
    return this.find(id);
  }

  /** Reads the newest sessions, as they are now. */
  async refresh(): Promise<void> {
    await this.#read(NEWEST);
  }

  /** Also loads the old sessions, once: for a search. */
  async readAll(): Promise<void> {
    if (!this.#isWhole) await this.#read(ALL);
  }

  /** Reloads all known sessions. */
  async readNow(): Promise<void> {
    await this.#read(this.#isWhole ? ALL : NEWEST);
  }

  /** Removes a deleted session. */
  forget(id: string): void {
    this.#list = this.#list.filter(({ sessionId }) => sessionId !== id);
  }

  async #read(limit: number): Promise<void> {
    const { sessions } = await this.#api.call(ClientService.method.listSessions, { limit });
    const asked = limit === ALL ? sessions.length + 1 : limit;
    this.#isWhole = sessions.length < asked || (this.#isWhole && reachesBack(sessions, this.#list));
    this.#list = withNewest(this.#list, sessions, asked);
    await this.#nameNewest();
  }

  /** First words replace a missing title. */
  async #nameNewest(): Promise<void> {
    const nameless = this.#list
      .slice(0, NAMED)
      .filter(
        ({ sessionId, title, messages }) => title === '' && messages > 0 && !this.#firstWords.has(sessionId),
      );
    this.#unread = new Set(nameless.map(({ sessionId }) => sessionId));
    const named = await Promise.all(nameless.map(({ sessionId }) => this.#readFirstWords(sessionId)));
    if (named.length > 0) this.#firstWords = new Map([...this.#firstWords, ...named.flat()]);
    this.#unread = new Set();
  }

  heard(event: SessionEvent): void {
    if (event.type === 'agent_start') this.#working = new Set([...this.#working, event.session]);
    if (event.type === 'idle' || event.type === 'agent_end')
      this.#working = new Set([...this.#working].filter((id) => id !== event.session));
    const list = summariesAfter(this.#list, event);
    if (list === undefined) this.#ask(event.session);
    else if (list !== this.#list) this.#list = list;
    if (event.type === 'settled') void this.#nameNewest();
  }

  /** @returns none if they can't be read: the next attempt may succeed */
  async #readFirstWords(sessionId: string): Promise<readonly (readonly [string, string])[]> {
    try {
      for await (const { entries } of this.#api.stream(ClientService.method.readBranch, { sessionId })) {
        for (const { message } of entries) {
          if (message?.role.case === 'user') return [[sessionId, firstLine(message.role.value.text)]];
        }
      }
    } catch {
      // A damaged session has no words.
    }
    return [];
  }

  /** Many simultaneous events cause one request, unless the list was loaded meanwhile. */
  #ask(id: string): void {
    this.#unknown.add(id);
    if (this.#unknown.size > 1) return;
    this.#setTimer(() => {
      const isMissing = [...this.#unknown].some((one) => this.find(one) === undefined);
      this.#unknown.clear();
      if (isMissing) this.refresh().catch(() => undefined);
    }, PAUSE_MS);
  }
}

/**
 * True if no unread session can lie between the sessions that were read, up to their oldest, and
 * the known ones.
 */
function reachesBack(read: readonly SessionSummary[], known: readonly SessionSummary[]): boolean {
  return (read.at(-1)?.updatedAt ?? '') <= (known[0]?.updatedAt ?? '');
}
