import type { SessionEvent } from '@bulkhead/protocol';
import { ClientService, type SessionSummary } from '@bulkhead/protocol/client';
import type { Api } from '../api/api.ts';

/** Events that change what a list of sessions says. */
const TELLING: ReadonlySet<SessionEvent['type']> = new Set(['session_title', 'settled', 'agent_start']);
const PAUSE_MS = 400;

/** All sessions, newest first, and which of them work. */
export class SessionList {
  readonly #api: Api;
  readonly #setTimer: (work: () => void, milliseconds: number) => void;
  #list: readonly SessionSummary[] = $state.raw([]);
  #working: ReadonlySet<string> = $state.raw(new Set());
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

  isWorking(id: string): boolean {
    return this.#working.has(id);
  }

  async refresh(): Promise<void> {
    const { sessions } = await this.#api.call(ClientService.method.listSessions, {});
    this.#list = sessions.toSorted((one, other) => other.updatedAt.localeCompare(one.updatedAt));
  }

  heard(event: SessionEvent): void {
    if (event.type === 'agent_start') this.#working = new Set([...this.#working, event.session]);
    if (event.type === 'idle' || event.type === 'agent_end')
      this.#working = new Set([...this.#working].filter((id) => id !== event.session));
    if (TELLING.has(event.type)) this.#soon();
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
