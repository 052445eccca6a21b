import { create } from '@bufbuild/protobuf';
import { type AgentConnection, type AgentDirective, type AgentEvent, AgentSession } from '@bulkhead/agent';
import { AttachResponseSchema } from '@bulkhead/protocol/agent';
import type { EventScope } from '@bulkhead/testkit/simulation';
import type { AgentProcess } from '../pools/agent-pool.ts';

/**
 * An agent without a process: the real loop, on a connection whose every message takes a step of
 * the simulation. It may die at any of them; earlier messages still arrive.
 */
export class SimulatedAgent implements AgentProcess {
  readonly pid: number;
  readonly connection: AgentConnection;
  readonly #scope: EventScope;
  readonly #engine: EventScope;
  readonly #mayDie: () => boolean;
  readonly #closed = Promise.withResolvers<void>();
  readonly #inbox: (AgentEvent | undefined)[] = [];
  #reader: ((event: AgentEvent | undefined) => void) | undefined;
  #gone = false;
  readonly #session: AgentSession;

  /**
   * @param scope the agent's own; ends with it
   * @param engine the reader: its events continue after the agent's end
   */
  constructor(pid: number, scope: EventScope, engine: EventScope, mayDie: () => boolean) {
    this.pid = pid;
    this.#scope = scope;
    this.#engine = engine;
    this.#mayDie = mayDie;
    this.#session = new AgentSession((event) => {
      if (!scope.ended && event.case !== undefined && event.case !== 'ready') this.#say(event.case, event);
      return true;
    });
    const connection: Pick<AgentConnection, 'send' | 'close' | 'closed'> = {
      closed: this.#closed.promise,
      close: async () => this.kill(),
      send: (directive) => this.#receive(directive),
    };
    // The class has private fields, so nothing else can have its type; runs use these three members only.
    this.connection = connection as unknown as AgentConnection;
  }

  next(): Promise<AgentEvent | undefined> {
    if (this.#inbox.length > 0) return Promise.resolve(this.#inbox.shift());
    if (this.#gone) return Promise.resolve(undefined);
    return new Promise((resolve) => {
      this.#reader = resolve;
    });
  }

  kill(): void {
    if (this.#scope.ended) return;
    this.#scope.end();
    this.#say('the end of the stream', undefined);
  }

  #receive(directive: AgentDirective): void {
    this.#scope.send(`to agent ${this.pid}`, `hears ${directive.case}`, () => {
      if (this.#mayDie()) return this.kill();
      this.#session.handle(create(AttachResponseSchema, { directive }));
    });
  }

  #say(label: string, event: AgentEvent | undefined): void {
    this.#engine.send(`from agent ${this.pid}`, `agent ${this.pid} says ${label}`, () => {
      if (event === undefined) {
        this.#gone = true;
        this.#closed.resolve();
      } else if (this.#mayDie()) {
        this.kill();
      }
      const reader = this.#reader;
      this.#reader = undefined;
      if (reader !== undefined) reader(event);
      else if (event !== undefined) this.#inbox.push(event);
    });
  }
}
