import { inertLine, type SessionEvent } from '@bulkhead/protocol';
import { ClientService, type SessionSummary } from '@bulkhead/protocol/client';
import { firstLine } from '@bulkhead/protocol/transcript';
import type { Api } from '../api/api.ts';

/** Events that change what a list of sessions says. */
const TELLING: ReadonlySet<SessionEvent['type']> = new Set(['session_title', 'settled', 'agent_start']);
const PAUSE_MS = 400;
/** Sessions get a title after their third exchange: until then these many newest are called by their first words. */
const NAMED = 40;

/** All sessions, newest first, and which of them work. */
export class SessionList {
  readonly #api: Api;
  readonly #setTimer: (work: () => void, milliseconds: number) => void;
  #list: readonly SessionSummary[] = $state.raw([]);
  #working: ReadonlySet<string> = $state.raw(new Set());
  #firstWords: ReadonlyMap<string, string> = $state.raw(new Map());
  /** Nameless ones whose first words are still on their way. */
  #unread: ReadonlySet<string> = $state.raw(new Set());
  #asked = false;

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
    if (session === undefined) return id === '' ? 'No session' : 'A session that is gone';
    if (session.title !== '') return inertLine(session.title);
    return inertLine(this.#firstWords.get(id) ?? (this.#unread.has(id) ? '…' : 'New session'));
  }

  isWorking(id: string): boolean {
    return this.#working.has(id);
  }

  async refresh(): Promise<void> {
    const { sessions } = await this.#api.call(ClientService.method.listSessions, {});
    this.#list = sessions.toSorted((one, other) => other.updatedAt.localeCompare(one.updatedAt));
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
    if (TELLING.has(event.type)) this.#soon();
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

  /** Many events of one moment ask once. */
  #soon(): void {
    if (this.#asked) return;
    this.#asked = true;
    this.#setTimer(() => {
      this.#asked = false;
      this.refresh().catch(() => undefined);
    }, PAUSE_MS);
  }
}
