import type { SessionEvent } from '@bulkhead/protocol';
import { settledNote } from '@bulkhead/protocol/transcript';
import type { Output } from '../output/output.ts';
import { ProgressNotes } from './progress-notes.ts';
import { ToolLines } from './tool-lines.ts';

/** Shows the events of one run. */
export interface RunView {
  /**
   * @param event undefined for an unknown event
   * @param json the line as the engine wrote it
   */
  show(event: SessionEvent | undefined, json: string): void;
}

/** Shown for every run: the engine may have restarted since the command began. */
const UNBOXED = '!!! NO SANDBOX: what follows has all your rights';

/** @param json print only event lines on standard output, instead of text */
export function createRunView(stdout: Output, stderr: Output, json: boolean): RunView {
  if (json) return { show: (_event, line) => stdout.own(`${line}\n`) };
  const tools = new ToolLines(stderr, { diffs: false });
  const notes = new ProgressNotes();
  const answer = stdout.isTerminal ? liveAnswer(stdout) : finalAnswer(stdout, stderr);
  return {
    show(event) {
      if (event === undefined) return;
      const progress = notes.take(event);
      if (stdout.isTerminal && (progress !== undefined || MAY_SPEAK.has(event.type))) stdout.freshLine();
      if (progress !== undefined) stderr.line(stderr.palette.yellow(stderr.safe(`… ${progress}`)));
      if (event.type === 'agent_start' && event.sandbox === 'off') stderr.line(stderr.palette.red(UNBOXED));
      tools.show(event);
      answer(event);
      const note = event.type === 'settled' ? settledNote(event) : undefined;
      if (note !== undefined) stderr.line(`bulkhead: ${stderr.safe(note.replaceAll('\n', ' '))}`);
    },
  };
}

/** Events that may print on standard error: the answer's line is ended first. */
const MAY_SPEAK: ReadonlySet<string> = new Set([
  'tool_call',
  'tool_output',
  'shield_verdict',
  'approval_requested',
  'error',
  'settled',
]);

function liveAnswer(stdout: Output): (event: SessionEvent) => void {
  const stream = new AnswerStream(stdout);
  return (event) => stream.show(event);
}

/** A pipe gets only the last message; earlier ones go to standard error. */
function finalAnswer(stdout: Output, stderr: Output): (event: SessionEvent) => void {
  return (event) => {
    if (event.type === 'message_end' && event.role === 'assistant' && event.stopReason === 'tool_calls') {
      if (event.text.trim() !== '') stderr.line(stderr.palette.dim(stderr.safe(event.text.trimEnd())));
    } else if (event.type === 'settled' && event.answer !== '') {
      stdout.own(event.answer.endsWith('\n') ? event.answer : `${event.answer}\n`);
    }
  };
}

/**
 * Prints the assistant's answer as it streams. The finished message decides: text that was not
 * streamed (lost connection, dropped deltas) is printed at its end.
 */
class AnswerStream {
  readonly #output: Output;
  #streamed = '';

  constructor(output: Output) {
    this.#output = output;
  }

  show(event: SessionEvent): void {
    if (event.type === 'text_delta') {
      this.#streamed += event.text;
      this.#output.content(event.text);
    } else if (event.type === 'retry_start' || event.type === 'run_resumed') {
      // The text of a failed attempt is not the start of the next attempt's text.
      this.#streamed = '';
      this.#output.freshLine();
    } else if (event.type === 'message_end' && event.role === 'assistant') {
      this.#finish(event.text);
    }
  }

  #finish(text: string): void {
    const streamed = this.#streamed;
    this.#streamed = '';
    if (text.startsWith(streamed)) {
      this.#output.content(text.slice(streamed.length));
    } else {
      this.#output.freshLine();
      this.#output.content(text);
    }
    this.#output.freshLine();
  }
}
