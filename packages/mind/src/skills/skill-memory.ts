import { shownRecord } from '@bulkhead/actions/flow/memory-notes';
import { noteRecord } from '@bulkhead/log/session/record-codec';
import type { SessionLog } from '@bulkhead/log/session/session-log';
import { isOf } from '@bulkhead/protocol/records';
import type { Label } from '@bulkhead/shield';
import { ShownOnce } from '../memory/shown-once.ts';

/** How far back a session's note is looked for, in records: some hundred turns. */
const RECENT = 4_000;

/** Forks of forks that are followed. */
const MAX_ORIGINS = 16;

/** Anyone may have written an unconfirmed skill. */
export const UNCONFIRMED: Label = { secrecy: 'internal', trust: 'external' };

interface Known {
  readonly names: readonly string[];
  /** Where the note stands in the log; 0 if it stands in another session's, or nowhere. */
  readonly pos: number;
}

/**
 * Which skills each session has loaded [SK1]: kept in its log, so they survive turns, compactions, agent processes and engines.
 * Bodies are not kept: they are read again, and compared with their pins again.
 */
export class SkillMemory {
  readonly #log: Pick<SessionLog, 'append' | 'store'>;
  readonly #now: () => number;
  readonly #known = new Map<string, Known>();
  readonly #shown = new ShownOnce();

  constructor(parts: { readonly log: Pick<SessionLog, 'append' | 'store'>; readonly now: () => number }) {
    this.#log = parts.log;
    this.#now = parts.now;
  }

  /** In the order they were loaded. Also says it again in the log before it would be too far back to be found. */
  names(sessionId: string): readonly string[] {
    const known = this.#known.get(sessionId) ?? this.#read(sessionId);
    this.#known.set(sessionId, known);
    const isFading = known.names.length > 0 && this.#log.store.lastPos(sessionId) - known.pos > RECENT / 2;
    if (isFading) this.#write(sessionId, '', known.names);
    return known.names;
  }

  /** @param turn the run that loads them */
  add(sessionId: string, turn: string, names: readonly string[]): void {
    const before = this.names(sessionId);
    const fresh = names.filter((name) => !before.includes(name));
    if (fresh.length > 0) this.#write(sessionId, turn, [...before, ...fresh]);
  }

  /**
   * To be said before a model is shown a text that is not the user's own: the session has read it from then on [F2].
   *
   * @param label what it carries
   */
  show(sessionId: string, turn: string, text: string, label: Label): void {
    if (!this.#shown.isNew(sessionId, text, label)) return;
    const note = noteRecord(this.#now(), turn, shownRecord(text, label));
    this.#log.append(sessionId, [note], { durable: false });
  }

  /** A session that is reset has loaded none. */
  clear(sessionId: string): void {
    if (this.names(sessionId).length > 0) this.#write(sessionId, '', []);
  }

  /** For a session that was deleted. */
  forget(sessionId: string): void {
    this.#known.delete(sessionId);
  }

  #write(sessionId: string, turn: string, names: readonly string[]): void {
    const note = noteRecord(this.#now(), turn, { type: 'skills_loaded', body: { names } });
    const [stored] = this.#log.append(sessionId, [note], { durable: false });
    this.#known.set(sessionId, { names, pos: stored?.pos ?? 0 });
  }

  /** A fork goes on with what its origin had loaded. */
  #read(sessionId: string): Known {
    const { store } = this.#log;
    let id: string | undefined = sessionId;
    for (let step = 0; id !== undefined && step < MAX_ORIGINS; step += 1) {
      const last = store.lastPos(id);
      const note = store
        .records(id, { pos: Math.max(0, last - RECENT) })
        .filter(isOf('skills_loaded'))
        .at(-1);
      if (note !== undefined) return { names: note.body.names, pos: id === sessionId ? note.pos : 0 };
      id = store.getSession(id)?.origin?.session;
    }
    return { names: [], pos: 0 };
  }
}
