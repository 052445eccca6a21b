import type { AuditSink } from '@bulkhead/audit';
import { noteRecord } from '@bulkhead/log/session/record-codec';
import type { SessionLog } from '@bulkhead/log/session/session-log';
import { BulkheadError, type Clock } from '@bulkhead/protocol';
import type { RecordOf } from '@bulkhead/protocol/records';
import type { SessionInfo } from '@bulkhead/sessions';
import type { FlowPolicy, Label, LabelStore } from '@bulkhead/shield';
import { SHIPPED } from './read-flow-policy.ts';
import type { ExplainedAction, SessionFlows } from './session-flows.ts';

/** Longest value that can be trusted, in characters: an address, an account, a link. */
const MAX_VALUE_CHARACTERS = 2_000;

/** The explained action, and the source of its tool's annotation. */
interface ExplainedWhere {
  readonly sessionId: string;
  readonly actionId: string;
  /** A file, or the product; empty if unknown. */
  readonly annotatedBy: string;
}

/** A labelled thing. */
export interface LabelledThing {
  readonly kind: 'session' | 'file' | 'store' | 'tool';
  readonly name: string;
  readonly label: Label;
  /** The file of a person that describes the tool, if any. */
  readonly annotatedBy?: string;
}

export interface FlowServiceParts {
  readonly flows: Pick<SessionFlows, 'explain' | 'labelOf'>;
  readonly labels: {
    readonly sessions: Pick<LabelStore, 'entries'>;
    readonly files: Pick<LabelStore, 'entries'>;
    readonly stores: Pick<LabelStore, 'entries'>;
  };
  readonly sessions: {
    session(id: string): SessionInfo;
    needIdle(id: string, purpose: string): void;
  };
  readonly log: Pick<SessionLog, 'append'>;
  readonly audit: AuditSink;
  readonly clock: Clock;
  /** The session of an action, from the audit log; undefined if the log has none. */
  sessionOf(actionId: string): Promise<string | undefined>;
  policy(): Pick<FlowPolicy, 'tools' | 'origins'>;
}

/**
 * Shows people the information flow, and offers the only two actions that lower it. Only clients
 * may use them: no tool and no agent receives this object [F3].
 */
export class FlowService {
  readonly #parts: FlowServiceParts;

  constructor(parts: FlowServiceParts) {
    this.#parts = parts;
  }

  /**
   * @param sessionId lists only this session; empty for everything with a label. @throws
   * BulkheadError `not_found`
   */
  list(sessionId: string): readonly LabelledThing[] {
    const { flows, labels, sessions } = this.#parts;
    if (sessionId !== '') {
      const { id } = sessions.session(sessionId);
      return [{ kind: 'session', name: id, label: flows.labelOf(id) }];
    }
    return [
      ...thingsOf('session', labels.sessions),
      ...thingsOf('file', labels.files),
      ...thingsOf('store', labels.stores),
      ...this.#toolsOfPeople(),
    ];
  }

  /** Labels of tool results that a person's file defines, not the product. */
  #toolsOfPeople(): readonly LabelledThing[] {
    const { tools, origins } = this.#parts.policy();
    return [...tools.values()].flatMap(({ tool, result }) => {
      const annotatedBy = origins.get(tool) ?? '';
      if (annotatedBy === SHIPPED) return [];
      const trust = result.writer === 'service' ? 'workspace' : result.writer;
      return [
        {
          kind: 'tool' as const,
          name: tool,
          label: { secrecy: result.secrecy ?? 'internal', trust },
          annotatedBy,
        },
      ];
    });
  }

  /**
   * @param sessionId empty if unknown
   * @throws BulkheadError `not_found` for an action that no session here has
   */
  async explain(actionId: string, sessionId: string): Promise<ExplainedAction & ExplainedWhere> {
    const { flows, sessions, sessionOf, policy } = this.#parts;
    const known = sessionId === '' ? await sessionOf(actionId) : sessionId;
    if (known === undefined || known === '') throw noAction(actionId);
    const explained = flows.explain(sessions.session(known).id, actionId);
    if (explained === undefined) throw noAction(actionId);
    const annotatedBy = policy().origins.get(explained.call.tool) ?? '';
    return { ...explained, sessionId: known, actionId, annotatedBy };
  }

  /**
   * Removes the secrecy of everything that a session has read, for a person. Audited before it
   * takes effect. Trust is never restored.
   * @throws BulkheadError `busy` while work is running in it, `not_found`
   */
  async declassify(sessionId: string): Promise<{ readonly before: Label; readonly now: Label }> {
    const { flows } = this.#parts;
    const before = this.#idle(sessionId);
    await this.#note('DECLASSIFIED', sessionId, { secrecy: before.secrecy });
    this.#append(sessionId, { type: 'flow_declassified', body: {} });
    return { before, now: flows.labelOf(sessionId) };
  }

  /**
   * Trusts a value in a session, for a person: "trust this payee". Audited before it takes effect.
   * @throws BulkheadError `usage` for an empty or very long value; `busy`, `not_found`
   */
  async trust(sessionId: string, value: string): Promise<void> {
    const text = value.trim();
    if (text === '' || text.length > MAX_VALUE_CHARACTERS) {
      throw new BulkheadError('usage', `a value to trust has 1 to ${MAX_VALUE_CHARACTERS} characters`, {
        fix: 'Give it as `bulkhead ifc explain ACTION` shows it.',
      });
    }
    this.#idle(sessionId);
    await this.#note('VALUE_TRUSTED', sessionId, { value: text });
    this.#append(sessionId, { type: 'flow_trusted', body: { value: text } });
  }

  #idle(sessionId: string): Label {
    const { sessions, flows } = this.#parts;
    sessions.needIdle(sessionId, 'be changed');
    return flows.labelOf(sessions.session(sessionId).id);
  }

  /**
   * Work may have started during the audit write: the declassification must not cover its reads.
   */
  #append(sessionId: string, note: RecordOf<'flow_declassified' | 'flow_trusted'>): void {
    this.#parts.sessions.needIdle(sessionId, 'be changed');
    this.#parts.log.append(sessionId, [noteRecord(this.#parts.clock.now(), '', note)]);
  }

  /** Off the record, logs only the fact. */
  #note(step: 'DECLASSIFIED' | 'VALUE_TRUSTED', session: string, facts: Readonly<Record<string, string>>) {
    const details = this.#parts.sessions.session(session).offTheRecord ? {} : facts;
    return this.#parts.audit.append([{ step, action: '', hash: '', session, tool: '', details }]);
  }
}

function thingsOf(
  kind: LabelledThing['kind'],
  labels: Pick<LabelStore, 'entries'>,
): readonly LabelledThing[] {
  return labels
    .entries()
    .map(([name, label]) => ({ kind, name, label }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

function noAction(actionId: string): BulkheadError {
  return new BulkheadError('not_found', `no session here has an action ${actionId}`, {
    fix: 'See `bulkhead audit list` for ids of actions.',
  });
}
