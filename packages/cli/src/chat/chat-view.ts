import type { SessionEvent } from '@bulkhead/protocol';
import { firstLine, settledNote } from '@bulkhead/protocol/transcript';
import { AnswerStream } from '../conversation/answer-stream.ts';
import { ProgressNotes } from '../conversation/progress-notes.ts';
import { ToolLines } from '../conversation/tool-lines.ts';
import type { Output } from '../output/output.ts';

/** Shown for every run: the engine may have restarted since the chat began. */
const UNBOXED = '!!! NO SANDBOX: what follows has all your rights';

/** Shows a session's live events in the chat. */
export class ChatView {
  showThinking = false;
  readonly #output: Output;
  /** Text of messages sent from this chat, by id. */
  readonly #own: ReadonlyMap<string, string>;
  readonly #answer: AnswerStream;
  readonly #tools: ToolLines;
  readonly #notes = new ProgressNotes();
  /** Messages that were shown as waiting. */
  readonly #waited = new Set<string>();
  #thinking = false;

  constructor(output: Output, own: ReadonlyMap<string, string>) {
    this.#output = output;
    this.#own = own;
    this.#answer = new AnswerStream(output);
    this.#tools = new ToolLines(output, { diffs: true });
  }

  show(event: SessionEvent): void {
    this.#progress(event);
    if (event.type === 'thinking_delta') {
      this.#think(event.text);
      return;
    }
    this.#endThinking();
    if (event.type === 'message_end' && event.role === 'user') this.#taken(event.input ?? '', event.text);
    if (event.type === 'queue_update') this.#queue(event.steer, event.followUp);
    if (event.type === 'settled') this.#settled(event);
    this.#answer.show(event);
    this.#tools.show(event);
  }

  #progress(event: SessionEvent): void {
    const { dim, red, yellow } = this.#output.palette;
    if (event.type === 'agent_start' && event.sandbox === 'off') this.#output.line(red(UNBOXED));
    const note = this.#notes.take(event);
    if (note !== undefined) this.#output.line(yellow(`… ${this.#output.safeLine(note)}`));
    if (event.type === 'session_title') {
      this.#output.line(dim(`title: ${this.#output.safeLine(event.title)}`));
    }
  }

  /** An own message that was entered at rest is on the screen already. */
  #taken(messageId: string, text: string): void {
    const { bold, cyan } = this.#output.palette;
    const own = this.#own.has(messageId);
    if (own && !this.#waited.delete(messageId)) return;
    this.#waited.delete(messageId);
    this.#output.line(`${bold(cyan(own ? 'you:' : 'you, elsewhere:'))} ${this.#output.safe(text)}`);
  }

  #queue(steer: readonly string[], followUp: readonly string[]): void {
    for (const id of steer) this.#waits(id, 'waits to join the run');
    for (const id of followUp) this.#waits(id, 'waits for its turn');
  }

  /** Shows it once: each change of the queue reports the waiting messages again. */
  #waits(messageId: string, how: string): void {
    if (this.#waited.has(messageId)) return;
    this.#waited.add(messageId);
    const text = firstLine(this.#own.get(messageId) ?? '(a message from elsewhere)');
    this.#output.line(this.#output.palette.dim(`(${how}: ${this.#output.safeLine(text)})`));
  }

  /** A message that joins a run was shown at that moment. */
  #settled(event: Extract<SessionEvent, { type: 'settled' }>): void {
    const note = event.outcome === 'merged' ? undefined : settledNote(event);
    if (note === undefined) return;
    const what = this.#waited.delete(event.message) ? 'the waiting message: ' : '';
    this.#output.line(this.#output.palette.yellow(this.#output.safeLine(`${what}${note}`)));
  }

  #think(text: string): void {
    if (!this.#thinking) {
      this.#thinking = true;
      this.#output.line(this.#output.palette.dim('thinking'));
    }
    if (this.showThinking) this.#output.own(this.#output.palette.dim(this.#output.safe(text)));
  }

  #endThinking(): void {
    if (this.#thinking) this.#output.freshLine();
    this.#thinking = false;
  }
}
