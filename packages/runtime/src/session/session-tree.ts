import { eventRecord } from '@bulkhead/log/session/record-codec';
import { BulkheadError } from '@bulkhead/protocol';
import type { SessionInfo, SessionStore } from '@bulkhead/sessions';
import type { SessionServices } from './session-services.ts';
import type { Sessions } from './sessions.ts';
import { TreeShape } from './tree-shape.ts';

const MAX_LABEL_CHARACTERS = 100;
const MAX_TITLE_CHARACTERS = 200;
const MAX_SUMMARY_CHARACTERS = 20_000;

type TreeServices = Pick<SessionServices, 'context' | 'processes' | 'engine'>;

/** Changes the shape of sessions: never an entry, and never slower in a long session [S2]. */
export class SessionTree {
  readonly #sessions: Sessions;
  readonly #services: TreeServices;

  constructor(sessions: Sessions, services: TreeServices) {
    this.#sessions = sessions;
    this.#services = services;
  }

  /**
   * A new session that stands at an entry of this one and shares what leads to it.
   *
   * @param entry empty for the leaf
   * @throws BulkheadError `busy`; `not_found` for an entry that is no part of the session's tree
   */
  fork(sessionId: string, entry: string): string {
    const session = this.#idle(sessionId, 'be forked');
    const at = entry === '' ? session.leaf : entry;
    if (at === null)
      throw new BulkheadError('usage', `session ${sessionId} is empty: there is nothing to fork`, {
        fix: 'Begin a new one: `bulkhead chat`.',
      });
    const { log, clock, ids } = this.#services.context;
    const { folders } = this.#services.processes;
    const id = ids();
    const time = clock.now();
    const { workingFolder, offTheRecord } = session;
    const records = [folders.noteOf(sessionId, time)];
    const origin = { session: sessionId, entry: at };
    log.store.createSession({ id, workingFolder, time, origin, offTheRecord }, { records });
    return id;
  }

  /**
   * Moves the conversation to another of its entries.
   *
   * @param entry empty for before the first: the session is as new then, and has no skills loaded
   * @param summary what is left behind, for the model; empty for none
   * @param toEnd goes on to the newest end of the branch that the entry is on
   * @returns the entry at which the conversation stands now; null for before the first
   */
  moveLeaf(sessionId: string, entry: string, summary = '', toEnd = false): string | null {
    const session = this.#idle(sessionId, 'move to another entry');
    const { log } = this.#services.context;
    if (entry === '') this.#services.engine.onReset(sessionId);
    else requireEntry(log.store, session, entry);
    const to = toEnd && entry !== '' ? new TreeShape(log.store.tree(sessionId)).end(entry) : entry;
    const leaf = to === '' ? null : to;
    if (summary.trim() === '') {
      if (leaf !== session.leaf) log.append(sessionId, [this.#moved(session, leaf)], { leaf });
      return leaf;
    }
    const text = summary.trim().slice(0, MAX_SUMMARY_CHARACTERS);
    const { id, record } = log.mark(leaf, {
      type: 'branch_summary',
      body: { summary: text, left: session.leaf },
    });
    log.append(sessionId, [record, this.#moved(session, id)], { leaf: id });
    return id;
  }

  #moved({ leaf }: SessionInfo, to: string | null) {
    const event = { type: 'leaf_moved', from: leaf ?? '', to: to ?? '' } as const;
    return eventRecord(this.#services.context.clock.now(), '', event);
  }

  /** Names an entry, also while the session works. @param label empty takes the name away */
  label(sessionId: string, entry: string, label: string): void {
    const session = this.#sessions.session(sessionId);
    const { log } = this.#services.context;
    requireEntry(log.store, session, entry);
    const { record } = log.mark(entry, {
      type: 'label',
      body: { label: oneLine(label, MAX_LABEL_CHARACTERS) },
    });
    log.append(sessionId, [record]);
  }

  setTitle(sessionId: string, title: string): void {
    const { leaf } = this.#sessions.session(sessionId);
    const { log } = this.#services.context;
    const text = oneLine(title, MAX_TITLE_CHARACTERS);
    const { record } = log.mark(leaf, { type: 'session_title', body: { title: text } });
    log.append(sessionId, [record], { title: text });
  }

  /**
   * Permanently deletes sessions from the disk, and ends what still runs for them.
   *
   * @param withForks also those that were forked from it; without, they are a reason to refuse
   * @returns the ids of all deleted sessions
   */
  async delete(sessionId: string, withForks: boolean): Promise<readonly string[]> {
    const { log, clock, audit } = this.#services.context;
    const { engine } = this.#services;
    const family = familyOf(log.store, sessionId);
    if (family.length > 1 && !withForks) {
      throw new BulkheadError('usage', `session ${sessionId} has forks: ${family.slice(0, -1).join(', ')}`, {
        fix: 'Delete them first, or delete all with --with-forks.',
      });
    }
    // A damaged session can be deleted too: nothing of it has to be read.
    for (const id of family) this.#sessions.needIdle(id, 'be deleted');
    const isNamed = new Map(family.map((id) => [id, log.store.getSession(id)?.offTheRecord === false]));
    for (const id of family) {
      log.store.deleteSession(id, clock.now());
      this.#sessions.forget(id);
      log.endWatches(id);
    }
    await Promise.all(family.map((id) => engine.removeLeftovers(id)));
    const gone = family.filter((id) => isNamed.get(id) === true);
    // A copy of the database from before is not accused of having lost them.
    await audit.append(
      gone.map((session) => ({
        step: 'SESSION_DELETED',
        action: '',
        hash: '',
        session,
        tool: '',
        details: {},
      })),
    );
    return family;
  }

  #idle(sessionId: string, purpose: string): SessionInfo {
    this.#sessions.actor(sessionId).needIdle(purpose);
    return this.#sessions.session(sessionId);
  }
}

/** A session and all that was forked from it, those first that others don't rest on. */
function familyOf(store: SessionStore, sessionId: string): string[] {
  const family = [sessionId];
  // Grows while it is walked: forks of forks come after what they rest on.
  for (const id of family) family.push(...store.forksOf(id));
  return family.reverse();
}

function requireEntry(store: SessionStore, { id }: SessionInfo, entry: string): void {
  // A recent branch of no bytes is the entry alone: it says whether there is one.
  store.recentBranch(id, entry, 0);
}

function oneLine(text: string, length: number): string {
  const line = text.replaceAll(/\p{C}/gu, ' ').replaceAll(/\s+/g, ' ').trim();
  return [...line].slice(0, length).join('');
}
