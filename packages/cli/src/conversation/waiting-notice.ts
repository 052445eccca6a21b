import type { SessionEvent } from '@bulkhead/protocol';

/** Longest time without a visible change or message, milliseconds. */
const FIRST_MS = 2_000;
const AGAIN_MS = 10_000;

/** Reports what a run is waiting for after some silence. */
export class WaitingNotice implements Disposable {
  readonly #say: (line: string) => void;
  #what: string | undefined;
  #waitedMs = 0;
  #timer: NodeJS.Timeout | undefined;

  /** @param say shows a line to the person */
  constructor(say: (line: string) => void) {
    this.#say = say;
  }

  /** @param what the run waits for before its first event */
  begin(what: string): void {
    this.#what = what;
    this.#waitedMs = 0;
    this.#wait(FIRST_MS);
  }

  /** Takes every event of the run. */
  note(event: SessionEvent): void {
    this.#what = waitsFor(event, this.#what);
    this.#waitedMs = 0;
    this.#wait(FIRST_MS);
  }

  #wait(ms: number): void {
    clearTimeout(this.#timer);
    if (this.#what === undefined) return;
    this.#timer = setTimeout(() => {
      this.#waitedMs += ms;
      this.#say(`… waiting for ${this.#what}, ${this.#waitedMs / 1_000} s (Ctrl-C cancels)`);
      this.#wait(AGAIN_MS);
    }, ms);
  }

  /** Ends the waiting. */
  end(): void {
    this.#what = undefined;
    clearTimeout(this.#timer);
  }

  [Symbol.dispose](): void {
    this.end();
  }
}

/** @returns the expected next event; undefined while a person is asked, or after the run */
function waitsFor(event: SessionEvent, before: string | undefined): string | undefined {
  switch (event.type) {
    case 'agent_start':
      return 'the agent';
    case 'turn_start':
      return event.model;
    case 'retry_start':
      return `the next attempt at ${event.model}`;
    case 'session_before_compact':
      return 'the conversation to be compacted';
    case 'tool_call':
    case 'action_started':
      return event.tool;
    case 'approval_decided':
      return 'the action';
    case 'settled':
      return event.outcome === 'merged' ? before : undefined;
    case 'approval_requested':
    case 'idle':
      return undefined;
    default:
      return before;
  }
}
