import type { SessionEvent } from '@bulkhead/protocol';

type Event<Type extends SessionEvent['type']> = Extract<SessionEvent, { type: Type }>;

/** The end of a run: error or answer, save point, `agent_end`, `settled`, each once and in this order. */
export class EndGrammar {
  readonly #message: string;
  #spoken = false;
  #error: string | undefined;
  #answer: string | undefined;
  #saved = false;
  #ended = false;

  constructor(message: string) {
    this.#message = message;
  }

  /** The run's own message has been said. */
  get spoken(): boolean {
    return this.#spoken;
  }

  get agentEnded(): boolean {
    return this.#ended;
  }

  /** There was an error. */
  get failed(): boolean {
    return this.#error !== undefined;
  }

  ownMessage(): string[] {
    const again = this.#spoken;
    this.#spoken = true;
    return again ? ['said before'] : [];
  }

  take(event: Event<'error' | 'response_complete' | 'save_point' | 'agent_end' | 'settled'>): string[] {
    switch (event.type) {
      case 'error':
        return this.#told(event);
      case 'response_complete':
        return this.#response(event);
      case 'save_point':
        return this.#savePoint();
      case 'agent_end':
        return this.#agentEnd(event);
      case 'settled':
        return this.#settled(event);
    }
  }

  #told({ code }: Event<'error'>): string[] {
    const problems = this.#error === undefined && !this.#saved ? [] : ['not once before the save point'];
    this.#error = code;
    return problems;
  }

  #response({ text }: Event<'response_complete'>): string[] {
    const problems = this.#answer === undefined ? [] : ['a second one'];
    if (this.#saved || this.#error !== undefined)
      problems.push('not between the last round and the save point');
    this.#answer = text;
    return problems;
  }

  #savePoint(): string[] {
    const problems = this.#saved ? ['not once after the last round'] : [];
    this.#saved = true;
    return problems;
  }

  #agentEnd({ message }: Event<'agent_end'>): string[] {
    const problems = this.#saved && !this.#ended ? [] : ['not once after the save point'];
    if (message !== this.#message) problems.push('of another message');
    this.#ended = true;
    return problems;
  }

  #settled({ message, outcome, answer, error }: Event<'settled'>): string[] {
    const problems = this.#ended ? [] : ['before agent_end'];
    if (message !== this.#message) problems.push('of another message');
    if (this.#needsAnswer(outcome) !== (this.#answer !== undefined))
      problems.push(`${outcome} and response_complete don't agree`);
    if (answer !== (this.#answer ?? '')) problems.push('not the answer that was given');
    if (outcome === 'failed' && error === undefined) problems.push('failed without an error');
    if (error !== undefined && outcome !== 'failed' && outcome !== 'limit')
      problems.push(`${outcome} and its error don't agree`);
    if (error?.code !== this.#error) problems.push('the error is not the one that was told');
    return problems;
  }

  /** A limit of money ends a run with an error in the place of an answer, one of rounds with an answer. */
  #needsAnswer(outcome: string): boolean {
    return outcome === 'completed' || outcome === 'blocked' || (outcome === 'limit' && !this.failed);
  }
}
