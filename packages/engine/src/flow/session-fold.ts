import type { DurableEventBody } from '@bulkhead/protocol';
import type { SessionStore, StoredRecord } from '@bulkhead/sessions';
import type { FlowCall, FlowSession } from '@bulkhead/shield';
import { eventBodyOf } from '../session/record-codec.ts';
import { DECLASSIFIED, TRUSTED } from './flow-records.ts';

/** How far back values are read from a session's log, in records: some hundred turns. Its label reaches back to its beginning. */
const RECENT = 4_000;

/** Derives what a call's arguments lead to; undefined for a call that no tool accepts. */
export type CallFacts = (call: FlowCall) => FlowCall['metadata'];

/**
 * Information flow of one session as a fold over its log: what the user said, what was called, what came back. Nothing else is
 * state, so neither a restart nor compaction can take anything from it [F2].
 */
export class SessionFold {
  readonly #store: Pick<SessionStore, 'records' | 'lastPos' | 'getSession'>;
  readonly #sessionId: string;
  readonly #facts: CallFacts;
  readonly #calls = new Map<string, FlowCall>();
  /** Calls of which the output is our own word: they were refused. */
  readonly #refused = new Set<string>();
  readonly #actions = new Map<string, string>();
  #pos = -1;

  constructor(
    store: Pick<SessionStore, 'records' | 'lastPos' | 'getSession'>,
    sessionId: string,
    facts: CallFacts,
  ) {
    this.#store = store;
    this.#sessionId = sessionId;
    this.#facts = facts;
  }

  /**
   * Tells `flow` all that is in the log and was not told yet.
   * @param until stops before the output of this call: flow then stands where the call was judged
   */
  advance(flow: FlowSession, until?: string): void {
    if (this.#pos < 0) this.#begin(flow);
    for (const record of this.#store.records(this.#sessionId, { pos: this.#pos })) {
      if (until !== undefined && record.type === 'tool_output' && record.body['call'] === until) return;
      this.#read(record, flow);
      this.#pos = record.pos;
    }
  }

  /** The call an action is for, as the log has it. */
  callOf(actionId: string): FlowCall | undefined {
    return this.#calls.get(this.#actions.get(actionId) ?? '');
  }

  callIdOf(actionId: string): string | undefined {
    return this.#actions.get(actionId);
  }

  /** A fork goes on from what its origin had read up to there. */
  #begin(flow: FlowSession): void {
    this.#pos = Math.max(0, this.#store.lastPos(this.#sessionId) - RECENT);
    const origins: { readonly session: string; readonly entry: string }[] = [];
    let origin = this.#store.getSession(this.#sessionId)?.origin ?? null;
    while (origin !== null) {
      origins.unshift(origin);
      origin = this.#store.getSession(origin.session)?.origin ?? null;
    }
    for (const { session, entry } of origins) {
      for (const record of this.#store.records(session, { pos: 0 })) {
        this.#read(record, flow);
        if (record.entry === entry) break;
      }
    }
  }

  #read(record: StoredRecord, flow: FlowSession): void {
    if (record.type === DECLASSIFIED) flow.declassify();
    else if (record.type === TRUSTED) flow.trust(String(record.body['value']));
    else if (record.seq !== null) this.#readEvent(eventBodyOf(record), flow);
  }

  #readEvent(event: DurableEventBody, flow: FlowSession): void {
    switch (event.type) {
      case 'message_end':
        if (event.role === 'user') flow.observeRequest(event.text);
        return;
      case 'tool_call':
        this.#calls.set(event.call, this.#callOf(event.tool, event.arguments));
        return;
      case 'action_started':
        this.#actions.set(event.action, event.call);
        return;
      case 'shield_verdict':
        if (event.decision === 'block') this.#refuse(event.action);
        return;
      case 'approval_decided':
        if (event.decision === 'deny') this.#refuse(event.action);
        return;
      case 'tool_output': {
        const call = this.#calls.get(event.call);
        if (call !== undefined && !this.#refused.has(event.call)) flow.observeResult(call, event.text);
        return;
      }
      default:
    }
  }

  #refuse(actionId: string): void {
    const call = this.#actions.get(actionId);
    if (call !== undefined) this.#refused.add(call);
  }

  #callOf(tool: string, args: unknown): FlowCall {
    const isObject = typeof args === 'object' && args !== null && !Array.isArray(args);
    const call: FlowCall = { tool, arguments: isObject ? { ...args } : {} };
    const metadata = this.#facts(call);
    return metadata === undefined ? call : { ...call, metadata };
  }
}
