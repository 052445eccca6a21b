import {
  BulkheadError,
  type DurableEventBody,
  describeError,
  type EventThought,
  type EventUsage,
  type Outcome,
} from '@bulkhead/protocol';

/** How a run came to its end. */
export interface RunConclusion {
  readonly outcome: Outcome;
  readonly answer: string;
  readonly thoughts: readonly EventThought[];
  readonly error?: BulkheadError;
}

/**
 * The last events of a run, however it ends: exactly one `settled`, after the answer if one exists.
 *
 * @param messageId the accepted message that is settled
 * @param cost US dollars; null if the price isn't known
 * @param states changes of state that come with it
 */
export function endOfRun(
  messageId: string,
  rounds: number,
  usage: EventUsage,
  cost: number | null,
  { outcome, answer, thoughts, error }: RunConclusion,
  states: readonly DurableEventBody[] = [],
): DurableEventBody[] {
  const failed = error === undefined ? {} : { error: { code: error.code, message: describeError(error) } };
  const events: DurableEventBody[] = [];
  if (error !== undefined) {
    events.push({
      type: 'error',
      code: error.code,
      message: describeError(error),
      retryable: error.retryable,
    });
  }
  if (outcome !== 'failed' && outcome !== 'aborted' && error === undefined) {
    events.push({ type: 'response_complete', text: answer, thoughts, usage, cost });
  }
  events.push({ type: 'save_point' }, { type: 'agent_end', message: messageId }, ...states, {
    type: 'settled',
    message: messageId,
    outcome,
    answer,
    usage,
    cost,
    rounds,
    ...failed,
  });
  return events;
}

/** The end of a run that its engine did not survive again and again. */
export function givenUp(deaths: number): RunConclusion {
  const error = new BulkheadError('interrupted', `the engine died ${deaths} times during this run`, {
    fix: 'See `bulkhead logs`; send the message again to go on.',
  });
  return { outcome: 'failed', answer: '', thoughts: [], error };
}
