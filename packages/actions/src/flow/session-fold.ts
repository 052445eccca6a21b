import { eventBodyOf } from '@bulkhead/log/session/record-codec';
import type { Message } from '@bulkhead/protocol/chat';
import { isMark } from '@bulkhead/protocol/records';
import { importedUpTo, readMessage, type SessionStore, type StoredRecord } from '@bulkhead/sessions';
import type { FlowCall, FlowSession, Label } from '@bulkhead/shield';
import { memorySearchTool } from '@bulkhead/tools';
import type { ActionFacts } from '../pipeline/stages.ts';
import type { LabelHistory } from './label-history.ts';
import { notedLabel } from './memory-notes.ts';
import type { ReplayLabels } from './replay-labels.ts';

/**
 * How many records of a session's log are searched for values: some hundred rounds. The session's
 * label covers the whole log.
 */
const RECENT = 4_000;

/** The name in `ifc.yaml` for reading a file that a person attached. */
const ATTACHMENT = 'attachment';
/** Stands for the content of a picture: empty content would taint nothing. */
const PICTURE = 'picture';

const FROM_A_FILE: Label = { secrecy: 'internal', trust: 'external' };

export interface SessionFoldParts {
  readonly store: Pick<SessionStore, 'records' | 'lastPos' | 'getSession'>;
  readonly labels: Pick<ReplayLabels, 'replay' | 'fixed' | 'rising' | 'by'>;
  readonly history: Pick<LabelHistory, 'toldUpTo' | 'tell' | 'met' | 'meet'>;
  /**
   * Derives the current facts of a call's arguments if the log has none; undefined if no tool
   * accepts the call.
   */
  derive(call: FlowCall): FlowCall['metadata'];
}

/** The state of one call at the current log position. */
interface CallFate {
  readonly proposed: FlowCall;
  /** With the facts of its arguments, once read or derived. */
  call?: FlowCall;
  /** Id of its action; empty before it exists. */
  action: string;
  /** Its action was stopped before any effect: the output is the engine's own text. */
  stopped: boolean;
  /**
   * Its action was started: the output may hold text that was read, even if the effects were
   * refused later.
   */
  begun: boolean;
  /** Its memory hits and their label: labelled by line, not for the whole store. */
  found?: { readonly label: Label | undefined };
}

/**
 * Information flow of one session as a fold over its log: user messages, calls and results. There
 * is no other state, so neither restart nor compaction can remove anything [F2]. Labels of files
 * change once: a replay of earlier records does not change them.
 */
export class SessionFold {
  readonly #parts: SessionFoldParts;
  readonly #sessionId: string;
  readonly #isPast: boolean;
  readonly #calls = new Map<string, CallFate>();
  /** Calls by their actions. */
  readonly #actions = new Map<string, string>();
  #pos = -1;
  /** Position up to which the log comes from an imported file. */
  #importedUpTo = 0;
  /** An output was replayed but not yet noted. */
  #isUnnoted = false;

  /** @param isPast to inspect the past: replays the whole log and changes no label */
  constructor(parts: SessionFoldParts, sessionId: string, isPast = false) {
    this.#parts = parts;
    this.#sessionId = sessionId;
    this.#isPast = isPast;
  }

  /**
   * Sends the new part of the log to `flow`.
   * @param until stops before the output of this action: flow then has the state in which the
   * action was judged
   * @returns false if there was nothing new
   */
  advance(flow: FlowSession, until?: string): boolean {
    const { store, history } = this.#parts;
    if (this.#pos >= 0 && store.lastPos(this.#sessionId) === this.#pos) return false;
    const told = this.#isPast ? Number.POSITIVE_INFINITY : history.toldUpTo(this.#sessionId);
    if (this.#pos < 0) this.#begin(flow, told);
    for (const record of store.records(this.#sessionId, { pos: this.#pos })) {
      if (until !== undefined && this.#isOutputOf(record, until)) break;
      this.#read(record, flow, record.pos <= told);
      this.#pos = record.pos;
    }
    // Only outputs change labels, so a second replay after a crash is harmless. A session
    // is noted before its first action.
    if (this.#isUnnoted || told === 0) history.tell(this.#sessionId, this.#pos);
    this.#isUnnoted = false;
    return true;
  }

  /** The logged call of an action. */
  callOf(actionId: string): FlowCall | undefined {
    const fate = this.#calls.get(this.#actions.get(actionId) ?? '');
    return fate && this.#callOf(fate);
  }

  #isOutputOf({ type, body }: StoredRecord, actionId: string): boolean {
    return type === 'tool_output' && body.call === this.#actions.get(actionId);
  }

  /** A fork continues from everything that its origin had read up to the fork. */
  #begin(flow: FlowSession, told: number): void {
    const { store } = this.#parts;
    const recent = Math.max(0, store.lastPos(this.#sessionId) - RECENT);
    this.#pos = this.#isPast ? 0 : Math.min(told, recent);
    for (const { session, entry, forkedAt } of originsOf(store, this.#sessionId)) {
      let isAfter = false;
      this.#importedUpTo = importedUpTo(store, session);
      for (const record of store.records(session, { pos: 0 })) {
        if (!isAfter) this.#read(record, flow, true);
        // If a session was declassified before the fork, the shared part is declassified, too.
        else if (record.type === 'flow_declassified' && record.time <= forkedAt) flow.declassify();
        isAfter ||= record.entry === entry;
      }
    }
    this.#importedUpTo = importedUpTo(store, this.#sessionId);
  }

  #read(record: StoredRecord, flow: FlowSession, isPast: boolean): void {
    if (record.entry !== null && this.#isImported(record)) {
      this.#readImported(record, flow);
      return;
    }
    if (record.seq === null) {
      if (record.entry === null) this.#readNote(record, flow);
      return;
    }
    const event = eventBodyOf(record);
    switch (event.type) {
      case 'message_end':
        if (event.role !== 'user') return;
        flow.observeRequest(event.text);
        if (record.type === 'message_end') this.#readAttachments(readMessage(record.body), flow);
        return;
      case 'tool_call': {
        const proposed = { tool: event.tool, arguments: membersOf(event.arguments) };
        this.#calls.set(event.call, { proposed, action: '', stopped: false, begun: false });
        return;
      }
      case 'action_started':
        this.#actions.set(event.action, event.call);
        this.#mark(event.action, { action: event.action });
        return;
      case 'shield_verdict':
        if (event.decision === 'block') this.#mark(event.action, { stopped: true });
        return;
      case 'approval_decided':
        if (event.decision === 'deny') this.#mark(event.action, { stopped: true });
        return;
      case 'tool_output':
        this.#observe(record, event, flow, isPast);
        return;
      default:
    }
  }

  #readNote({ type, body }: StoredRecord, flow: FlowSession): void {
    if (type === 'flow_declassified') flow.declassify();
    else if (type === 'flow_trusted') flow.trust(body.value);
    else if (type === 'action_facts') this.#learn(body);
    else if (type === 'memory_shown') this.#readShown(body.text, notedLabel(body.label), flow);
    else if (type === 'memory_found') this.#mark(body.action, { found: { label: notedLabel(body.label) } });
    else if (type === 'action_intent') this.#mark(body.action, { begun: true });
  }

  /** Memory that was added to the model's context automatically: counts as read. */
  #readShown(text: string, label: Label | undefined, flow: FlowSession): void {
    const call = { tool: memorySearchTool.name, arguments: {} };
    this.#parts.labels.replay(label, () => flow.observeResult(call, text));
  }

  /**
   * Also for a log without an import note: an entry that was not published to clients is a mark or
   * comes from a file.
   */
  #isImported(record: StoredRecord): boolean {
    return record.pos <= this.#importedUpTo || (record.seq === null && !isMark(record));
  }

  /** Imported text and reads: any person may have written them, including the user messages. */
  #readImported({ body }: StoredRecord, flow: FlowSession): void {
    const call = { tool: 'session import', arguments: {} };
    this.#parts.labels.fixed(() => flow.observeResult(call, textsIn(body), FROM_A_FILE));
  }

  /**
   * An attachment is not the user's message: it is read like a file from any author. The content of
   * a picture is unknown here, but the model reads it.
   */
  #readAttachments({ role }: Message, flow: FlowSession): void {
    if (role.case !== 'user') return;
    const pictures = role.value.images.map(() => ({ name: '', text: PICTURE }));
    for (const { name, text } of [...role.value.attachments, ...pictures]) {
      const call = { tool: ATTACHMENT, arguments: name === '' ? {} : { path: name } };
      this.#parts.labels.fixed(() => flow.observeResult(call, text));
    }
  }

  #learn(facts: ActionFacts): void {
    const fate = this.#calls.get(this.#actions.get(facts.action) ?? '');
    if (fate !== undefined) fate.call = { ...fate.proposed, metadata: facts };
  }

  #observe(
    record: StoredRecord,
    event: { readonly call: string; readonly text: string; readonly isError: boolean },
    flow: FlowSession,
    isPast: boolean,
  ): void {
    const { labels, history } = this.#parts;
    const fate = this.#calls.get(event.call);
    if (fate === undefined || (fate.stopped && !fate.begun)) return;
    const { sessionId, pos } = record;
    const observe = () => flow.observeResult(this.#callOf(fate), event.text);
    if (isPast) {
      labels.replay(history.met(sessionId, pos), observe);
      return;
    }
    this.#isUnnoted = true;
    if (fate.found !== undefined) {
      labels.replay(fate.found.label, observe);
      if (fate.found.label !== undefined) history.meet(sessionId, pos, fate.found.label);
      return;
    }
    const met = labels.by(fate.action, () => {
      // A dry run has written nothing; a failed call may have written.
      if (!fate.begun) return labels.fixed(observe);
      return event.isError ? labels.rising(observe) : observe();
    });
    if (met !== undefined) history.meet(sessionId, pos, met);
  }

  #mark(actionId: string, what: Partial<Pick<CallFate, 'action' | 'begun' | 'found' | 'stopped'>>): void {
    const fate = this.#calls.get(this.#actions.get(actionId) ?? '');
    if (fate !== undefined) Object.assign(fate, what);
  }

  #callOf(fate: CallFate): FlowCall {
    if (fate.call !== undefined) return fate.call;
    const metadata = this.#parts.derive(fate.proposed);
    fate.call = metadata === undefined ? fate.proposed : { ...fate.proposed, metadata };
    return fate.call;
  }
}

/** All texts of a record of any type. */
function textsIn(body: StoredRecord['body']): string {
  const texts: string[] = [];
  const left: unknown[] = [body];
  while (left.length > 0) {
    const value = left.pop();
    if (typeof value === 'string') texts.push(value);
    if (typeof value !== 'object' || value === null) continue;
    for (const part of Object.values(value).toReversed()) left.push(part);
  }
  return texts.join('\n');
}

function membersOf(args: unknown): FlowCall['arguments'] {
  return typeof args === 'object' && args !== null && !Array.isArray(args) ? { ...args } : {};
}

/** The sessions that a fork continues, oldest first: how far, and when the next one forked. */
function originsOf(store: Pick<SessionStore, 'getSession'>, sessionId: string) {
  const origins: { readonly session: string; readonly entry: string; readonly forkedAt: number }[] = [];
  let fork = store.getSession(sessionId);
  while (fork?.origin != null) {
    origins.unshift({ ...fork.origin, forkedAt: fork.createdAt });
    fork = store.getSession(fork.origin.session);
  }
  return origins;
}
