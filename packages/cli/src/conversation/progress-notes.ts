import type { SessionEvent } from '@bulkhead/protocol';

/**
 * The progress notes of a session, for events in order: a note on a recovered model precedes its
 * answer.
 */
export class ProgressNotes {
  #retrying = false;

  /**
   * @returns the note to show before the event itself, undefined for none; not made safe, as for
   * `progressNote`
   */
  take(event: SessionEvent): string | undefined {
    const again = this.#retrying && answers(event);
    if (event.type === 'retry_start') this.#retrying = true;
    else if (again || ENDS.has(event.type)) this.#retrying = false;
    return again ? 'the model answers again' : progressNote(event);
  }
}

/** After these events, an answer no longer belongs to an announced attempt. */
const ENDS: ReadonlySet<string> = new Set(['retry_end', 'run_resumed', 'settled']);

function answers(event: SessionEvent): boolean {
  switch (event.type) {
    case 'text_delta':
    case 'thinking_delta':
    case 'tool_call':
      return true;
    case 'message_end':
      // A failed attempt ends a message that it never started to send.
      return event.role === 'assistant' && event.stopReason !== 'error';
    case 'retry_end':
      return event.success;
    default:
      return false;
  }
}

/**
 * A note on a run for the person beside its answer and its tools, in one line; undefined for every
 * other event. It contains foreign text: make it safe before showing it.
 */
export function progressNote(event: SessionEvent): string | undefined {
  switch (event.type) {
    case 'retry_start':
      return `the model failed (${event.code}): ${oneLine(event.message)}. ${nextAttempt(event)}`;
    case 'session_before_compact':
      return `compacting the conversation (${count(event.messages, 'message')})`;
    case 'session_compact':
      return event.byRule === true
        ? 'no model could summarize: the model sees a list of the older part made by rules (your requests, files, open tasks); the log keeps all of it'
        : 'conversation compacted: its beginning is now a summary';
    case 'run_resumed':
      return `the engine was stopped during this run, which continues now${openActions(event)}`;
    default:
      return undefined;
  }
}

function nextAttempt(event: Extract<SessionEvent, { type: 'retry_start' }>): string {
  const { delayMs, attempt, maxAttempts, model } = event;
  const when = delayMs === 0 ? 'now' : `in ${seconds(delayMs)}`;
  // Attempts are counted over all models of a chain, but their limit is per model.
  const which = attempt <= maxAttempts ? `${attempt} of ${maxAttempts}` : `${attempt}`;
  return `Trying again ${when} (retry ${which}, ${model})`;
}

function openActions(event: Extract<SessionEvent, { type: 'run_resumed' }>): string {
  const { executed, notExecuted, unknown } = event;
  const parts = [
    ...(executed === 0 ? [] : [`${executed} done`]),
    ...(notExecuted === 0 ? [] : [`${notExecuted} not done`]),
    ...(unknown === 0 ? [] : [`${unknown} with unknown outcome`]),
  ];
  return parts.length === 0 ? '' : ` (actions left open: ${parts.join(', ')})`;
}

function seconds(ms: number): string {
  return ms < 10_000 ? `${(ms / 1_000).toFixed(1)} s` : `${Math.round(ms / 1_000)} s`;
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}

function oneLine(text: string): string {
  return text.replaceAll(/\s*\n\s*/g, ' ').replace(/[.\s]+$/, '');
}
