import type { SessionEvent } from '@bulkhead/protocol';
import { AnswerStream } from '../conversation/answer-stream.ts';
import { settledNote } from '../conversation/settled-note.ts';
import { ToolLines } from '../conversation/tool-lines.ts';
import type { Output } from '../output/output.ts';

/** Shows a session's live events in the chat. */
export class ChatView {
  showThinking = false;
  readonly #output: Output;
  readonly #answer: AnswerStream;
  readonly #tools: ToolLines;
  #thinking = false;

  constructor(output: Output) {
    this.#output = output;
    this.#answer = new AnswerStream(output);
    this.#tools = new ToolLines(output, { diffs: true });
  }

  /** @param foreign true for a run that another client started: its message is shown too */
  show(event: SessionEvent, foreign: boolean): void {
    if (event.type === 'thinking_delta') {
      this.#think(event.text);
      return;
    }
    this.#endThinking();
    const { bold, cyan, yellow } = this.#output.palette;
    if (event.type === 'message_end' && event.role === 'user' && foreign) {
      this.#output.line(`${bold(cyan('you, elsewhere:'))} ${this.#output.safe(event.text)}`);
    }
    this.#answer.show(event);
    this.#tools.show(event);
    const note = event.type === 'settled' ? settledNote(event) : undefined;
    if (note !== undefined) this.#output.line(yellow(this.#output.safe(note.replaceAll('\n', ' '))));
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
