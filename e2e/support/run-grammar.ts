import type { SessionEvent } from '@bulkhead/protocol';
import { CallsGrammar } from './calls-grammar.ts';
import { EndGrammar } from './end-grammar.ts';
import { MessageGrammar } from './message-grammar.ts';
import type { QueueGrammar } from './queue-grammar.ts';
import { RetryGrammar } from './retry-grammar.ts';
import { StateGrammar } from './state-grammar.ts';

type Event<Type extends SessionEvent['type']> = Extract<SessionEvent, { type: Type }>;

/** The grammar of one run, from behind its `agent_start` to its `settled`. */
export class RunGrammar {
  readonly #run: string;
  readonly #message: string;
  readonly #queue: QueueGrammar;
  readonly #text: MessageGrammar;
  readonly #calls = new CallsGrammar();
  readonly #retry = new RetryGrammar();
  readonly #state = new StateGrammar();
  readonly #end: EndGrammar;
  #first = true;
  #rounds = 0;
  #roundOpen = false;
  /** Of the open round: an answer was begun, and whether it came to its end. */
  #answer: 'none' | 'begun' | 'given' | 'failed' = 'none';
  /** A message that has joined: the next event must settle it. */
  #merging: string | undefined;
  #compacting = false;
  #settled = false;

  constructor(run: string, message: string, replayed: boolean, queue: QueueGrammar) {
    this.#run = run;
    this.#message = message;
    this.#queue = queue;
    this.#text = new MessageGrammar(replayed);
    this.#end = new EndGrammar(message);
  }

  get isSettled(): boolean {
    return this.#settled;
  }

  /** @returns what is wrong with this event here */
  take(event: SessionEvent): string[] {
    const problems = event.turn === this.#run ? [] : ['another run'];
    const merged = event.type === 'settled' && event.outcome === 'merged';
    if (!merged) problems.push(...this.#mergeOverdue());
    problems.push(...this.#retry.before(event));
    if (this.#first && event.type !== 'state_change') problems.push(...this.#state.needs('thinking'));
    if (!merged && !this.#mayPrecedeNews(event)) problems.push(...this.#queue.overdue());
    problems.push(...(merged ? this.#merged(event) : this.#inOrder(event)));
    this.#first = false;
    return problems;
  }

  /** Events that must come before anything else, also before events that belong to no run. */
  overdue(): string[] {
    return [...this.#mergeOverdue(), ...this.#retry.overdue()];
  }

  #inOrder(event: SessionEvent): string[] {
    switch (event.type) {
      case 'state_change':
        return this.#state.take(event, {
          first: this.#first,
          roundOpen: this.#roundOpen,
          calling: this.#calls.isOpen && !this.#text.isOpen,
          ended: this.#end.agentEnded,
        });
      case 'queue_update':
        return this.#queue.take(event);
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
        return [...this.#text.end(event), ...this.#messageEnd(event)];
      default:
        return this.#rest(event);
    }
  }

  #rest(event: SessionEvent): string[] {
    switch (event.type) {
      case 'retry_start':
        return [
          ...this.#betweenRounds(),
          ...this.#retry.start(event),
          ...this.#state.needsExactly('thinking'),
        ];
      case 'retry_end':
        return this.#retry.end(event, this.#state.aborted);
      case 'session_before_compact':
        this.#compacting = true;
        return this.#betweenRounds();
      case 'session_compact': {
        const announced = this.#compacting;
        this.#compacting = false;
        return [...this.#betweenRounds(), ...(announced ? [] : ['it was not announced'])];
      }
      case 'run_resumed':
        return this.#resumed(event);
      case 'error':
      case 'response_complete':
      case 'save_point':
      case 'agent_end':
      case 'settled':
        return this.#ending(event);
      default:
        return this.#placeOfCall(event) ?? this.#calls.take(event);
    }
  }

  #turnStart({ round }: Event<'turn_start'>): string[] {
    const problems = [...this.#betweenRounds(), ...this.#state.needs('thinking')];
    problems.push(...this.#retry.roundBegins(), ...this.#calls.goesOn(), ...this.#queue.vanished());
    if (!this.#text.userSpoke) problems.push('before the message of the user');
    this.#rounds += 1;
    if (round !== this.#rounds) problems.push(`round ${round} is not ${this.#rounds}`);
    this.#roundOpen = true;
    this.#answer = 'none';
    return problems;
  }

  #placeOfMessage(role: 'user' | 'assistant'): string[] {
    if (role === 'user')
      return [...(this.#roundOpen ? ['inside a round'] : []), ...this.#state.needs('thinking')];
    if (!this.#roundOpen) return ['an answer outside of a round'];
    if (this.#answer !== 'none') return ['a second answer in a round'];
    this.#answer = 'begun';
    return [];
  }

  #messageEnd({ role, input, stopReason }: Event<'message_end'>): string[] {
    if (role === 'user') return this.#said(input);
    this.#answer = stopReason === 'error' ? 'failed' : 'given';
    if (this.#answer === 'given') this.#retry.answered();
    return this.#roundOpen ? [] : ['an answer outside of a round'];
  }

  /** The first message is the run's own; any other has joined it. */
  #said(input: string | undefined): string[] {
    if (input === this.#message) return this.#end.ownMessage();
    this.#merging = input;
    return this.#end.spoken ? [] : ['before the message of the run'];
  }

  #merged({ message, answer, rounds, error }: Event<'settled'>): string[] {
    const problems = message === this.#merging ? [] : ['no such message has joined'];
    if (answer !== '' || rounds !== 0 || error !== undefined) problems.push('with an end of its own');
    this.#merging = undefined;
    this.#queue.leaves(message);
    return [...problems, ...this.#queue.settled(message)];
  }

  #mergeOverdue(): string[] {
    const message = this.#merging;
    this.#merging = undefined;
    return message === undefined ? [] : [`message ${message} has joined and is not settled`];
  }

  /**
   * Several messages join in one commit; the queue is reported once, after them, or at the start
   * before them.
   */
  #mayPrecedeNews(event: SessionEvent): boolean {
    if (event.type === 'queue_update') return true;
    if (!this.#end.spoken) return event.type === 'state_change';
    return event.type === 'message_start' ? event.role === 'user' : this.#text.isOfUser;
  }

  #placeOfCall({ type }: SessionEvent): string[] | undefined {
    if (!this.#roundOpen) return ['outside of a round'];
    // Calls are made and carried out when the answer that asks for them is complete.
    if (this.#text.isOpen || this.#answer !== 'given') return ['before the answer of its round'];
    const wrong = type === 'tool_call' ? this.#state.needs('thinking') : this.#state.needs('executing');
    const fresh = type === 'action_started' ? this.#calls.goesOn() : [];
    return wrong.length + fresh.length > 0 ? [...wrong, ...fresh] : undefined;
  }

  #turnEnd({ round, stopReason }: Event<'turn_end'>): string[] {
    const problems = this.#calls.endOfRound();
    if (!this.#roundOpen || round !== this.#rounds) problems.push('no such round is open');
    if (this.#answer !== 'given' && this.#answer !== 'failed')
      problems.push('the message of the round has not ended');
    if ((stopReason === 'error') !== (this.#answer === 'failed')) problems.push('not as its message ended');
    if (this.#answer === 'failed') this.#retry.roundFailed();
    this.#roundOpen = false;
    return problems;
  }

  #resumed(event: Event<'run_resumed'>): string[] {
    this.#retry.forgotten();
    const problems = event.message === this.#message ? [] : ['of another message'];
    if (this.#text.isOpen) problems.push('a message is open');
    if (!this.#roundOpen) problems.push(...this.#state.needs('thinking'));
    return [...problems, ...this.#calls.resumed(event)];
  }

  #ending(event: Event<'error' | 'response_complete' | 'save_point' | 'agent_end' | 'settled'>): string[] {
    const problems = [...this.#betweenRounds(), ...this.#retry.endOfRun(), ...this.#end.take(event)];
    if (event.type !== 'settled') return problems;
    this.#settled = true;
    if (event.rounds !== this.#rounds) problems.push(`${event.rounds} rounds instead of ${this.#rounds}`);
    if (this.#end.failed && !this.#state.errorTold) problems.push('the state does not tell of its error');
    if (!this.#end.failed && this.#state.erred) problems.push('the state tells of an error');
    if (this.#state.aborted && event.outcome !== 'aborted') problems.push('it was cancelled');
    return [
      ...problems,
      ...this.#state.needsExactly('idle'),
      ...this.#calls.goesOn(),
      ...this.#queue.settled(event.message),
    ];
  }

  #betweenRounds(): string[] {
    if (this.#roundOpen) return ['inside a round'];
    return this.#text.isOpen ? ['a message is open'] : [];
  }
}
