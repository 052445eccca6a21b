import type { SessionUpdate } from '@agentclientprotocol/sdk';
import type { SessionEvent } from '@bulkhead/protocol';

type Kind = 'agent_message_chunk' | 'agent_thought_chunk';

/**
 * What the assistant says and thinks, as it comes. The finished message has the last word: what of it did not come as it was said
 * (the connection was lost, deltas were dropped) is sent when it ends; if something else was said before, as a message of its own.
 */
export class AnswerChunks {
  readonly #newId: () => string;
  #message: string;
  readonly #said: Record<Kind, string> = { agent_message_chunk: '', agent_thought_chunk: '' };

  /** @param newId a new message's id: an editor joins chunks of one id */
  constructor(newId: () => string) {
    this.#newId = newId;
    this.#message = newId();
  }

  take(event: SessionEvent): SessionUpdate[] {
    switch (event.type) {
      case 'text_delta':
        return this.#say('agent_message_chunk', event.text);
      case 'thinking_delta':
        return this.#say('agent_thought_chunk', event.text);
      case 'retry_start':
      case 'run_resumed':
        // What a broken attempt said is no beginning of what the next one says.
        this.#begin();
        return [];
      case 'message_end':
        return event.role === 'assistant' ? this.#finish(event.text, event.thinking ?? '') : [];
      default:
        return [];
    }
  }

  #finish(text: string, thinking: string): SessionUpdate[] {
    const updates = [
      ...this.#complete('agent_thought_chunk', thinking),
      ...this.#complete('agent_message_chunk', text),
    ];
    this.#begin();
    return updates;
  }

  #complete(kind: Kind, whole: string): SessionUpdate[] {
    const said = this.#said[kind];
    if (whole.startsWith(said)) return this.#say(kind, whole.slice(said.length));
    this.#begin();
    return this.#say(kind, whole);
  }

  #say(kind: Kind, text: string): SessionUpdate[] {
    if (text === '') return [];
    this.#said[kind] += text;
    return [{ sessionUpdate: kind, content: { type: 'text', text }, messageId: this.#message }];
  }

  #begin(): void {
    this.#message = this.#newId();
    this.#said.agent_message_chunk = '';
    this.#said.agent_thought_chunk = '';
  }
}
