import { inertLine, type SessionEvent } from '@bulkhead/protocol';
import { ClientService, type SessionSummary } from '@bulkhead/protocol/client';
import { firstLine } from '@bulkhead/protocol/transcript';
import type { Api } from '../api/api.ts';
import { summariesAfter, withNewest } from './session-summaries.ts';

const PAUSE_MS = 400;
/** So many of the newest are asked for at once; the older ones when somebody looks for them. */
const NEWEST = 200;
/** As many as the engine gives. */
const ALL = 0;
/** Sessions get a title after their third exchange: until then these many newest are called by their first words. */
const NAMED = 40;

/**
 * Sessions, newest first, and which of them work. What happens in one changes its line from the event itself: only a session that is not
 * known is asked for.
 */
export class SessionList {
  readonly #api: Api;
  readonly #setTimer: (work: () => void, milliseconds: number) => void;
  #list: readonly SessionSummary[] = $state.raw([]);
  #working: ReadonlySet<string> = $state.raw(new Set());
  #firstWords: ReadonlyMap<string, string> = $state.raw(new Map());
  /** Nameless ones whose first words are still on their way. */
  #unread: ReadonlySet<string> = $state.raw(new Set());
  /** Sessions that events were of, and that the list does not have. */
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

  /** What a session is called: its title, its first words, or that it is new. */
  nameOf(id: string): string {
    const session = this.find(id);
    if (session === undefined && id === '') return 'No session';
    if (session === undefined) return this.#isWhole ? 'A session that is gone' : 'An older session';
    if (session.title !== '') return inertLine(session.title);
    return inertLine(this.#firstWords.get(id) ?? (this.#unread.has(id) ? '…' : 'New session'));
  }

  isWorking(id: string): boolean {
    return this.#working.has(id);
  }

  /** @returns undefined if there is no such session */
  async lookUp(id: string): Promise<SessionSummary | undefined> {
    if (this.find(id) === undefined) await this.refresh();
    if (this.find(id) === undefined) await this.readAll();
    return this.find(id);
  }

  /** Reads the newest sessions, as they are now. */
  async refresh(): Promise<void> {
    await this.#read(NEWEST);
  }

  /** Reads also the old ones, if that was not done: for who looks for any. */
  async readAll(): Promise<void> {
    if (!this.#isWhole) await this.#read(ALL);
  }

  /** Reads all that are known once more. */
  async readNow(): Promise<void> {
    await this.#read(this.#isWhole ? ALL : NEWEST);
  }

  /** Leaves out a session that was deleted. */
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

  /** Sessions without a title are called by their first words. */
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

  /** @returns none if they can't be read: the next time may do */
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

  /** Many events of one moment ask once, unless the list has come by then for another reason. */
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

/** True if no session can be between those that were read, which end with the oldest, and those that are known. */
function reachesBack(read: readonly SessionSummary[], known: readonly SessionSummary[]): boolean {
  return (read.at(-1)?.updatedAt ?? '') <= (known[0]?.updatedAt ?? '');
}
