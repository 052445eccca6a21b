import type { SessionUpdate } from '@agentclientprotocol/sdk';
import type { SessionEvent } from '@bulkhead/protocol';

type Kind = 'agent_message_chunk' | 'agent_thought_chunk';

/**
 * The assistant's text and thinking as they stream. The finished message decides: text that was not
 * streamed (lost connection, dropped deltas) is sent at its end; if different text was streamed, as
 * a separate message.
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
        // The text of a failed attempt is not the start of the next attempt's text.
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
