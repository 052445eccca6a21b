import { create } from '@bufbuild/protobuf';
import {
  type AgentConnection,
  type AgentDirective,
  type AgentEvent,
  type CompactionEvent,
  compactConversation,
  type LoopEvent,
  runLoop,
} from '@bulkhead/agent';
import { agentEvent, compactionEvent, ResultMailbox } from '@bulkhead/home/testing';
import {
  AttachRequestSchema,
  AttachResponseSchema,
  type CompactRequest,
  type ProcessRequest,
} from '@bulkhead/protocol/agent';
import type { EventScope } from '@bulkhead/testkit/simulation';
import type { AgentProcess } from '../pools/agent-pool.ts';

/**
 * An agent without a process: the real loop, on a connection whose every message takes a step of the simulation. It
 * may die at any of them; what it has said before still arrives.
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
  #run:
    | { readonly id: string; readonly mailbox: ResultMailbox; readonly cancel: AbortController }
    | undefined;

  /**
   * @param scope the agent's own: it ends with it
   * @param engine what reads: its events go on after the agent's end
   */
  constructor(pid: number, scope: EventScope, engine: EventScope, mayDie: () => boolean) {
    this.pid = pid;
    this.#scope = scope;
    this.#engine = engine;
    this.#mayDie = mayDie;
    const connection: Pick<AgentConnection, 'send' | 'sendModelDelta' | 'close' | 'closed'> = {
      closed: this.#closed.promise,
      close: async () => this.kill(),
      send: (directive) => this.#receive(directive),
      sendModelDelta: (requestId, kind, value) =>
        this.#receive({ case: 'modelDelta', value: { requestId, delta: { case: kind, value } } }),
    };
    // The class has private fields, so nothing else can have its type; runs use these four members only.
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
    this.#run?.cancel.abort();
    this.#say('the end of the stream', undefined);
  }

  #receive(directive: AgentDirective): void {
    this.#scope.send(`to agent ${this.pid}`, `hears ${directive.case}`, () => {
      if (this.#mayDie()) return this.kill();
      this.#obey(create(AttachResponseSchema, { directive }).directive);
    });
  }

  #obey(directive: ReturnType<typeof create<typeof AttachResponseSchema>>['directive']): void {
    const { case: name, value } = directive;
    if (name === 'process') this.#process(value);
    else if (name === 'compact') this.#compact(value);
    else if (name === 'cancel' && this.#run?.id === value.runId) this.#run.cancel.abort();
    else if (name === 'modelDelta') this.#run?.mailbox.deliverDelta(value);
    else if (name === 'toolResult') this.#run?.mailbox.deliverResult(value);
    else if (name === 'steer') this.#run?.mailbox.deliverSteer(value);
    else if (name === 'skills') this.#run?.mailbox.deliverSkills(value);
    else if (name === 'toolDefs') this.#run?.mailbox.deliverDefinitions(value);
  }

  #process(request: ProcessRequest): void {
    const { runId } = request;
    if (this.#run !== undefined) {
      const error = { runId, code: 'busy', message: 'a run is still going on' };
      const { event } = create(AttachRequestSchema, { event: { case: 'error', value: error } });
      if (event.case === 'error') this.#say('error', event);
      return;
    }
    const run = { id: runId, mailbox: new ResultMailbox(), cancel: new AbortController() };
    this.#run = run;
    const emit = (event: LoopEvent): void => {
      if (this.#scope.ended) return;
      if (event.type === 'complete' || event.type === 'error') this.#run = undefined;
      this.#say(event.type, agentEvent(runId, event));
    };
    void runLoop(request, { emit, results: run.mailbox, signal: run.cancel.signal });
  }

  #compact(request: CompactRequest): void {
    const { requestId } = request;
    const run = { id: requestId, mailbox: new ResultMailbox(), cancel: new AbortController() };
    this.#run = run;
    const emit = (event: CompactionEvent): void => {
      if (this.#scope.ended) return;
      if (event.type === 'compacted' || event.type === 'error') this.#run = undefined;
      this.#say(event.type, compactionEvent(requestId, event));
    };
    void compactConversation(request, { emit, results: run.mailbox, signal: run.cancel.signal });
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
