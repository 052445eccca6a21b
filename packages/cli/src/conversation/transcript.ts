import type { SessionEvent } from '@bulkhead/protocol';
import { settledNote } from '@bulkhead/protocol/transcript';
import type { Output } from '../output/output.ts';
import { ToolLines } from './tool-lines.ts';

/** Prints durable events of a session as a conversation to read. */
export class Transcript {
  readonly #output: Output;
  readonly #tools: ToolLines;

  constructor(output: Output) {
    this.#output = output;
    this.#tools = new ToolLines(output, { diffs: false });
  }

  show(event: SessionEvent): void {
    this.#tools.show(event);
    if (event.type === 'message_end') this.#message(event.role, event.text);
    if (event.type !== 'settled') return;
    const note = settledNote(event);
    if (note !== undefined) this.#output.line(this.#output.palette.yellow(`(${this.#output.safe(note)})`));
  }

  #message(role: 'user' | 'assistant', text: string): void {
    if (text.trim() === '') return;
    const { bold, cyan } = this.#output.palette;
    this.#output.line(bold(role === 'user' ? cyan('you') : 'bulkhead'));
    for (const line of text.trimEnd().split('\n')) this.#output.line(`  ${this.#output.safe(line)}`);
  }
}
