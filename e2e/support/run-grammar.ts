import type { SessionEvent } from '@bulkhead/protocol';
import { CallsGrammar } from './calls-grammar.ts';
import { MessageGrammar } from './message-grammar.ts';

type Event<Type extends SessionEvent['type']> = Extract<SessionEvent, { type: Type }>;

/** Outcomes that come with an answer. */
const ANSWERED: ReadonlySet<string> = new Set(['completed', 'blocked', 'limit']);

/** The grammar of one run, from behind its `agent_start` to its `settled`. */
export class RunGrammar {
  readonly #run: string;
  readonly #message: string;
  readonly #text: MessageGrammar;
  readonly #calls = new CallsGrammar();
  #rounds = 0;
  #roundOpen = false;
  #answeredInRound = false;
  #saved = false;
  #ended = false;
  #answer: string | undefined;
  #error: string | undefined;

  constructor(run: string, message: string, replayed: boolean) {
    this.#run = run;
    this.#message = message;
    this.#text = new MessageGrammar(replayed);
  }

  /** @returns what is wrong with this event here */
  take(event: SessionEvent): string[] {
    return [...(event.turn === this.#run ? [] : ['another run']), ...this.#inOrder(event)];
  }

  #inOrder(event: SessionEvent): string[] {
    switch (event.type) {
      case 'turn_start':
        return this.#turnStart(event);
      case 'turn_end':
        return this.#turnEnd(event);
      case 'message_start':
        return [...this.#text.start(event.role), ...this.#placeOfMessage(event.role)];
      case 'text_delta':
      case 'thinking_delta':
        return this.#text.delta(event);
      case 'message_end':
        return this.#text.end(event);
      case 'error':
        this.#error = event.code;
        return this.#roundOpen ? ['inside a round'] : [];
      case 'response_complete':
        return this.#response(event);
      case 'save_point':
        return this.#savePoint();
      case 'agent_end':
        return this.#agentEnd(event);
      case 'settled':
        return this.#settled(event);
      default:
        return this.#placeOfCall() ?? this.#calls.take(event);
    }
  }

  #turnStart({ round }: Event<'turn_start'>): string[] {
    const problems = this.#roundOpen ? ['the round before is open'] : [];
    if (!this.#text.userSpoke) problems.push('before the message of the user');
    this.#rounds += 1;
    if (round !== this.#rounds) problems.push(`round ${round} is not ${this.#rounds}`);
    this.#roundOpen = true;
    this.#answeredInRound = false;
    return problems;
  }

  #placeOfMessage(role: 'user' | 'assistant'): string[] {
    if (role === 'user') return this.#rounds === 0 ? [] : ['the user speaks after the first round'];
    if (!this.#roundOpen) return ['an answer outside of a round'];
    if (this.#answeredInRound) return ['a second answer in a round'];
    this.#answeredInRound = true;
    return [];
  }

  /** Calls are made and carried out when the answer that asks for them is complete. */
  #placeOfCall(): string[] | undefined {
    if (!this.#roundOpen) return ['outside of a round'];
    return this.#text.isOpen || !this.#answeredInRound ? ['before the answer of its round'] : undefined;
  }

  #turnEnd({ round }: Event<'turn_end'>): string[] {
    const problems = this.#calls.endOfRound();
    if (!this.#roundOpen || round !== this.#rounds) problems.push('no such round is open');
    if (this.#text.isOpen || !this.#answeredInRound) problems.push('the message of the round has not ended');
    this.#roundOpen = false;
    return problems;
  }

  #response({ text }: Event<'response_complete'>): string[] {
    const problems = this.#answer === undefined ? [] : ['a second one'];
    if (this.#saved || this.#roundOpen) problems.push('not between the last round and the save point');
    this.#answer = text;
    return problems;
  }

  #savePoint(): string[] {
    const problems = this.#saved || this.#roundOpen ? ['not once after the last round'] : [];
    this.#saved = true;
    return problems;
  }

  #agentEnd({ message }: Event<'agent_end'>): string[] {
    const problems = this.#saved && !this.#ended ? [] : ['not once after the save point'];
    if (message !== this.#message) problems.push('of another message');
    this.#ended = true;
    return problems;
  }

  #settled({ message, outcome, answer, rounds, error }: Event<'settled'>): string[] {
    const problems = this.#ended ? [] : ['before agent_end'];
    if (message !== this.#message) problems.push('of another message');
    if (rounds !== this.#rounds) problems.push(`${rounds} rounds instead of ${this.#rounds}`);
    if (ANSWERED.has(outcome) !== (this.#answer !== undefined))
      problems.push(`${outcome} and response_complete don't agree`);
    if (this.#answer !== undefined && this.#answer !== answer) problems.push('not the answer that was given');
    if ((outcome === 'failed') !== (error !== undefined))
      problems.push(`${outcome} and its error don't agree`);
    if (error?.code !== this.#error) problems.push('the error is not the one that was told');
    return problems;
  }
}
