import type { LogStanding } from '@bulkhead/sessions';
import { type Loss, type LostAction, MAX_NAMED } from './loss.ts';

/** What the comparison needs of an audit entry. */
export interface FoldedEntry {
  readonly step: string;
  readonly action: string;
  readonly hash: string;
  readonly session: string;
  readonly tool: string;
  readonly logged?: number | undefined;
  readonly details: Readonly<Record<string, unknown>>;
}

interface SessionFold {
  readonly standing: LogStanding;
  logged: number;
  readonly messages: Set<string>;
  /** Begun, and not known to the log. */
  readonly started: Map<string, LostAction>;
  /** Proposed and not begun. */
  readonly proposed: Map<string, readonly string[]>;
  more: number;
}

/** Proposals of one session that are kept at once: they end within a moment, or with their engine. */
const MAX_PROPOSED = 1_000;

/**
 * Compares the audit log, entry by entry, with what the session logs hold. An entry with `logged` was written after the log was on the disk up
 * to there, so a log that ends earlier has lost records. An intent precedes the STARTED of its action, so a position tells
 * whether the log holds it. Keeps only what the logs do not hold, and what is under way.
 */
export class AuditFold {
  readonly #standingOf: (sessionId: string) => LogStanding;
  readonly #sessions = new Map<string, SessionFold>();

  constructor(standingOf: (sessionId: string) => LogStanding) {
    this.#standingOf = standingOf;
  }

  read(entry: FoldedEntry): void {
    const { session, step, logged } = entry;
    if (session === '') return;
    // What a person accepted is decided; what comes after counts anew.
    if (step === 'LOSS_ACCEPTED' || step === 'SESSION_DELETED') {
      this.#sessions.delete(session);
      return;
    }
    const fold = this.#fold(session);
    if (logged !== undefined) fold.logged = Math.max(fold.logged, logged);
    this.#readStep(fold, entry);
  }

  /** By session id; none if both logs agree. */
  get losses(): ReadonlyMap<string, Loss> {
    return new Map(
      [...this.#sessions].flatMap(([id, fold]) => {
        const loss = lossOf(fold);
        return loss === undefined ? [] : [[id, loss] as const];
      }),
    );
  }

  /** Actions with an effect that were begun, and of which the audit log tells no end and the session log holds no intent. */
  get begun(): ReadonlySet<string> {
    return new Set([...this.#sessions.values()].flatMap(({ started }) => [...started.keys()]));
  }

  #fold(session: string): SessionFold {
    const known = this.#sessions.get(session);
    if (known !== undefined) return known;
    const fold: SessionFold = {
      standing: this.#standingOf(session),
      logged: 0,
      messages: new Set(),
      started: new Map(),
      proposed: new Map(),
      more: 0,
    };
    this.#sessions.set(session, fold);
    return fold;
  }

  #readStep(fold: SessionFold, entry: FoldedEntry): void {
    const { step, action, details } = entry;
    switch (step) {
      case 'ACCEPTED':
        if (!holds(fold.standing, Number(details['pos'])))
          add(fold, fold.messages, String(details['message']));
        break;
      case 'PROPOSED':
        if (fold.proposed.size < MAX_PROPOSED) fold.proposed.set(action, pathsOf(details));
        break;
      case 'STARTED':
        start(fold, entry);
        break;
      case 'EXECUTED':
      case 'FAILED':
        end(fold, entry);
        break;
      case 'REFUSED':
      case 'DESCRIBED':
      case 'RECOVERED':
        fold.proposed.delete(action);
        fold.started.delete(action);
        break;
      default:
        break;
    }
  }
}

/** Only actions of runs: what a person does, an undo for one, is in no session's log. */
function start(fold: SessionFold, { action, tool, hash, logged, details, step }: FoldedEntry): void {
  const paths = fold.proposed.get(action) ?? [];
  fold.proposed.delete(action);
  const { nonce, effect, likeness } = details;
  if (nonce === undefined || effect === 'pure') return;
  if (logged !== undefined && holds(fold.standing, logged)) return;
  if (fold.started.size >= MAX_NAMED) {
    fold.more += 1;
    return;
  }
  const known = typeof likeness === 'string' ? likeness : hash;
  fold.started.set(action, { action, tool, hash, likeness: known, step, paths: [...paths] });
}

function end(fold: SessionFold, { action, step, logged }: FoldedEntry): void {
  const started = fold.started.get(action);
  if (started === undefined) return;
  // An entry of a version that recorded no positions: nothing is known to be missing.
  if (logged === undefined) fold.started.delete(action);
  else fold.started.set(action, { ...started, step });
}

function add(fold: SessionFold, names: Set<string>, name: string): void {
  if (names.has(name)) return;
  if (names.size < MAX_NAMED) names.add(name);
  else fold.more += 1;
}

/** A damaged log is closed already, and a deleted one has nothing to hold. */
function holds(standing: LogStanding, pos: number): boolean {
  if (standing.state === 'there') return pos <= standing.lastPos;
  return standing.state !== 'absent';
}

function lossOf({ standing, logged, messages, started, more }: SessionFold): Loss | undefined {
  const isWhole = holds(standing, logged) || (standing.state === 'absent' && logged === 0);
  if (isWhole && messages.size === 0) return undefined;
  return {
    logged,
    has: standing.state === 'there' ? standing.lastPos : null,
    messages: [...messages],
    actions: [...started.values()],
    more,
  };
}

function pathsOf(details: FoldedEntry['details']): readonly string[] {
  const { paths } = details;
  return Array.isArray(paths) ? paths.map(String).slice(0, 8) : [];
}
