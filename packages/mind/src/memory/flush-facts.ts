import { factsRecord } from '@bulkhead/actions/flow/recorded-facts';
import type { ActionContext } from '@bulkhead/actions/pipeline/action-context';
import type { ActionPipeline } from '@bulkhead/actions/pipeline/action-pipeline';
import { noteRecord } from '@bulkhead/log/session/record-codec';
import type { SessionLog } from '@bulkhead/log/session/session-log';
import { AUTO_HEADING } from '@bulkhead/memory';
import type { Clock, DurableEventBody, IdSource } from '@bulkhead/protocol';
import type { NewLogRecord } from '@bulkhead/protocol/records';
import type { Label } from '@bulkhead/shield';
import { memoryWriteTool } from '@bulkhead/tools';
import type { ProposalStore } from './proposal-store.ts';

/** The outcome of a fact: written (or already present), pending, or refused by a judge. */
interface FlushedFact {
  readonly fact: string;
  readonly outcome: 'written' | 'proposed' | 'refused';
  /** For people and for the model. */
  readonly text: string;
}

/**
 * Remembers facts of a part of a conversation that is about to be compacted, without being asked
 * [K1]. Each is an action like any other, or a proposal if the person wants to be asked. Off the
 * record, nothing is kept.
 *
 * @throws BulkheadError only if not even a refusal could be recorded
 */
export type FlushFacts = (
  sessionId: string,
  facts: readonly string[],
  signal: AbortSignal,
) => Promise<readonly FlushedFact[]>;

interface FlushParts {
  readonly pipeline: Pick<ActionPipeline, 'run'>;
  readonly log: SessionLog;
  readonly ids: IdSource;
  readonly clock: Pick<Clock, 'now'>;
  readonly review: 'auto' | 'ask';
  readonly proposals: ProposalStore;
  labelOf(sessionId: string): Label;
  /** Actions of the engine's own that are under way. */
  readonly auto: Set<string>;
}

/** Facts of one flush; a model that finds more finds everything worth remembering. */
const MOST_FACTS = 50;
/** Longest fact, characters: a longer one is a summary, and none. */
const MOST_CHARACTERS = 1_000;

export function createFlush(parts: FlushParts): FlushFacts {
  const flushOne = async (
    sessionId: string,
    fact: string,
    run: string,
    signal: AbortSignal,
  ): Promise<FlushedFact> => {
    if (parts.review === 'ask') return propose(parts, sessionId, fact);
    const { log, clock, auto } = parts;
    const publish = (...events: readonly DurableEventBody[]): void => log.events(sessionId, '', ...events);
    const note = (record: NewLogRecord, durable: boolean): void => {
      log.append(sessionId, [noteRecord(clock.now(), '', record)], { durable });
    };
    const session = log.store.getSession(sessionId);
    let action = '';
    const context: ActionContext = {
      // No one waits at a prompt: a fact that would need approval is not remembered.
      approve: 'deny',
      dryRun: false,
      offTheRecord: session?.offTheRecord !== false,
      doubtful: new Set(),
      requests: [],
      signal,
      stopping: signal,
      update: () => {},
      publish,
      start(event, facts) {
        if (event.type === 'action_started') action = event.action;
        auto.add(action);
        publish(event);
        if (facts !== undefined) note(factsRecord(facts), false);
      },
      intend: (intent) => note({ type: 'action_intent', body: intent }, true),
    };
    try {
      const { result, completed } = await parts.pipeline.run(
        {
          sessionId,
          runId: run,
          callId: `memory-${parts.ids()}`,
          tool: memoryWriteTool.name,
          loaded: true,
          argumentsJson: JSON.stringify({ text: fact, heading: AUTO_HEADING }),
          workingFolder: session?.workingFolder ?? '/',
        },
        context,
      );
      publish(completed);
      return { fact, outcome: result.isError ? 'refused' : 'written', text: result.text };
    } finally {
      auto.delete(action);
    }
  };
  return async (sessionId, facts, signal) => {
    if (parts.log.store.getSession(sessionId)?.offTheRecord !== false) return [];
    const run = parts.ids();
    const flushed: FlushedFact[] = [];
    for (const fact of facts.slice(0, MOST_FACTS)) {
      if (signal.aborted) break;
      const text = fact.trim().slice(0, MOST_CHARACTERS);
      if (text !== '') flushed.push(await flushOne(sessionId, text, run, signal));
    }
    return flushed;
  };
}

function propose({ proposals, ids, clock, labelOf }: FlushParts, session: string, fact: string): FlushedFact {
  const isNew = proposals.add(ids(), clock.now(), {
    text: fact,
    target: 'memory',
    heading: AUTO_HEADING,
    replaces: '',
    reason: 'found in a conversation that was made shorter',
    session,
    label: labelOf(session),
  });
  return {
    fact,
    outcome: 'proposed',
    text: isNew ? 'It waits for a person.' : 'It waits already, or too much does.',
  };
}
