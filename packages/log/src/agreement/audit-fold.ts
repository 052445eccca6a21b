import type { LogStanding } from '@bulkhead/sessions';
import { type Loss, type LostAction, MAX_NAMED } from './loss.ts';

/** The fields of an audit entry that the comparison needs. */
export interface FoldedEntry {
  /** The hash of the entry; absent in logs that keep none. */
  readonly self?: string;
  readonly step: string;
  readonly action: string;
  readonly hash: string;
  readonly session: string;
  readonly tool: string;
  readonly logged?: number | undefined;
  readonly details: Readonly<Record<string, unknown>>;
}

/** The session logs as the comparison queries them. */
export interface FoldedLogs {
  standing(sessionId: string): LogStanding;
  /** True if the log has the record of an accepted loss at this position, for the audit entry with this hash. */
  hasAcceptance(sessionId: string, pos: number, self: string): boolean;
  /** Actions without a recorded end: their last steps are kept. */
  isOpen(action: string): boolean;
}

/** The last step that the audit log has of an action with an effect. */
export type AuditedStep = 'started' | 'failed' | 'executed';

interface SessionFold {
  readonly standing: LogStanding;
  /** The part of it that counts as held. */
  held: LogStanding;
  /** The log lacks the record of a loss that was accepted: it is of a time before, or went another way. */
  parted: boolean;
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
  readonly #logs: FoldedLogs;
  readonly #sessions = new Map<string, SessionFold>();
  readonly #steps = new Map<string, AuditedStep>();

  constructor(logs: FoldedLogs) {
    this.#logs = logs;
  }

  read(entry: FoldedEntry): void {
    const { session, step, logged } = entry;
    if (session === '') return;
    if (step === 'SESSION_DELETED') {
      this.#sessions.delete(session);
      return;
    }
    const fold = this.#fold(session);
    if (logged !== undefined) fold.logged = Math.max(fold.logged, logged);
    if (step === 'LOSS_ACCEPTED') this.#accepted(fold, entry);
    else this.#readStep(fold, entry);
    this.#keepStep(entry);
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

  /** Of open actions with an effect. These stay true whatever a session log came to hold. */
  get steps(): ReadonlyMap<string, AuditedStep> {
    return this.#steps;
  }

  /**
   * A person's acceptance holds only in the log that has its record. A database restored from a
   * backup may lack that record and its unknown outcomes: then everything is reported again, and no
   * later position of the session counts as held.
   */
  #accepted(fold: SessionFold, { session, details, self = '' }: FoldedEntry): void {
    const { has } = details;
    const { state } = fold.standing;
    if (state === 'deleted' || state === 'damaged') return;
    if (state === 'absent') {
      if (has === null) this.#sessions.delete(session);
      return;
    }
    if (typeof has === 'number' && this.#logs.hasAcceptance(session, has + 1, self)) {
      this.#sessions.delete(session);
      this.#fold(session).logged = has + 1;
      return;
    }
    fold.parted = true;
    fold.held = { state, lastPos: Math.min(lastPosOf(fold.held), Number(has ?? 0)) };
  }

  #keepStep({ step, action, details }: FoldedEntry): void {
    if (step === 'STARTED' && details['effect'] !== 'pure' && this.#logs.isOpen(action))
      this.#steps.set(action, 'started');
    else if (step === 'EXECUTED' && this.#steps.has(action)) this.#steps.set(action, 'executed');
    else if (step === 'FAILED' && this.#steps.get(action) === 'started') this.#steps.set(action, 'failed');
  }

  #fold(session: string): SessionFold {
    const known = this.#sessions.get(session);
    if (known !== undefined) return known;
    const standing = this.#logs.standing(session);
    const fold: SessionFold = {
      standing,
      held: standing,
      parted: false,
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
        if (!holds(fold.held, Number(details['pos']))) add(fold, fold.messages, String(details['message']));
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
  if (logged !== undefined && holds(fold.held, logged)) return;
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

function lastPosOf(standing: LogStanding): number {
  return standing.state === 'there' ? standing.lastPos : 0;
}

/** A damaged log is closed already, and a deleted one has nothing to hold. */
function holds(standing: LogStanding, pos: number): boolean {
  if (standing.state === 'there') return pos <= standing.lastPos;
  return standing.state !== 'absent';
}

function lossOf({ standing, parted, logged, messages, started, more }: SessionFold): Loss | undefined {
  const isWhole = (holds(standing, logged) && !parted) || (standing.state === 'absent' && logged === 0);
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
