import type { SessionEvent } from '@bulkhead/protocol';

type Event<Type extends SessionEvent['type']> = Extract<SessionEvent, { type: Type }>;

/** Messages of a run: one open at a time, and what was streamed of one is what it says in the end. */
export class MessageGrammar {
  readonly #replayed: boolean;
  #role: 'user' | 'assistant' | undefined;
  #text = '';
  #thinking = '';
  #userSpoke = false;

  constructor(replayed: boolean) {
    this.#replayed = replayed;
  }

  get isOpen(): boolean {
    return this.#role !== undefined;
  }

  get userSpoke(): boolean {
    return this.#userSpoke;
  }

  get isOfUser(): boolean {
    return this.#role === 'user';
  }

  start(role: 'user' | 'assistant'): string[] {
    const problems = this.isOpen ? ['the message before is open'] : [];
    this.#role = role;
    this.#text = '';
    this.#thinking = '';
    return problems;
  }

  delta(event: Event<'text_delta' | 'thinking_delta'>): string[] {
    if (event.type === 'text_delta') this.#text += event.text;
    else this.#thinking += event.text;
    return [
      ...(event.ephemeral === true ? [] : ['not marked as ephemeral']),
      ...(this.#role === 'assistant' ? [] : ['outside of an answer']),
    ];
  }

  end({ role, entry, input, text, thinking, stopReason }: Event<'message_end'>): string[] {
    const problems = role === this.#role ? [] : ['no such message is open'];
    if ((role === 'user') !== (input !== undefined)) problems.push(`${input ?? 'no message'} as its input`);
    const isEntry = stopReason !== 'error';
    if (isEntry !== (entry !== undefined)) problems.push(`${entry ?? 'nothing'} as its entry`);
    if (role === 'user') this.#userSpoke = true;
    // The streamed part of an answer that failed is no part of the conversation.
    if (role === 'assistant' && stopReason !== 'error' && !this.#replayed) {
      if (text !== this.#text) problems.push('the text is not what was streamed');
      if ((thinking ?? '') !== this.#thinking) problems.push('the thinking is not what was streamed');
    }
    this.#role = undefined;
    return problems;
  }
}
