import type { SessionEvent } from '@bulkhead/protocol';
import { progressNote } from './progress-note.ts';

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
