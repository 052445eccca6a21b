import { randomBytes } from 'node:crypto';
import { chmodSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Http2Server, type ServerHttp2Session } from 'node:http2';
import { create } from '@bufbuild/protobuf';
import { BulkheadError, type EventBody, type HomeLayout, PROTOCOL_VERSION } from '@bulkhead/protocol';
import {
  type ApprovalAnswer,
  ClientService,
  type DecideApprovalRequest,
  type SendMessageRequest,
  type WatchRequest,
  type WatchResponse,
  WatchResponseSchema,
} from '@bulkhead/protocol/client';
import { Code, ConnectError, type ConnectRouter } from '@connectrpc/connect';
import { connectNodeAdapter } from '@connectrpc/connect-node';

/** What a run does: emits events, ending with `settled` and `idle`. */
export type Script = (run: ScriptedRun) => Promise<void>;

/**
 * An engine for tests: the real wire (gRPC by connect-node, unix socket, token), scripted runs behind it.
 * Its sessions outlive `crash()`, as a real engine's log does.
 */
export class ScriptedEngine {
  readonly layout: HomeLayout;
  readonly received: SendMessageRequest[] = [];
  readonly decisions: DecideApprovalRequest[] = [];
  protocolVersion = PROTOCOL_VERSION;
  /** While true, `Status` never answers. */
  silent = false;
  stopRequests = 0;
  supervisorPid = 0;
  /** Called once `Stop` has been answered. */
  onStop: () => void = () => {};
  notices: string[] = [];
  readonly #script: Script;
  readonly #sessions = new Map<string, ScriptedSession>();
  readonly #connections = new Set<ServerHttp2Session>();
  #token = '';
  #server: Http2Server | undefined;

  constructor(layout: HomeLayout, script: Script) {
    this.layout = layout;
    this.#script = script;
  }

  async listen(): Promise<void> {
    mkdirSync(this.layout.run, { recursive: true, mode: 0o700 });
    rmSync(this.layout.socket, { force: true });
    this.#token = randomBytes(16).toString('hex');
    writeFileSync(this.layout.token, `${this.#token}\n`, { mode: 0o600 });
    chmodSync(this.layout.token, 0o600);
    const server = createServer(connectNodeAdapter({ routes: (router) => this.#route(router) }));
    server.on('session', (session) => {
      this.#connections.add(session);
      session.on('error', () => session.destroy());
      session.on('close', () => this.#connections.delete(session));
    });
    this.#server = server;
    await new Promise<void>((resolve) => server.listen(this.layout.socket, resolve));
  }

  /** Ends without a word to anybody; the socket file stays. */
  async crash(): Promise<void> {
    for (const connection of this.#connections) connection.destroy();
    const server = this.#server;
    this.#server = undefined;
    if (server !== undefined) await new Promise<void>((resolve) => server.close(() => resolve()));
    writeFileSync(this.layout.socket, '');
  }

  async close(): Promise<void> {
    for (const session of this.#sessions.values()) session.cancel.abort();
    await this.crash();
  }

  /** @param events bodies of a run that is over */
  addSession(id: string, events: readonly EventBody[]): void {
    const session = new ScriptedSession(id);
    this.#sessions.set(id, session);
    for (const body of events) session.emit(body, 'run-0');
  }

  #session(id: string): ScriptedSession {
    const session = this.#sessions.get(id);
    if (session === undefined) throw new ConnectError(`there is no session ${id}`, Code.NotFound);
    return session;
  }

  #route(router: ConnectRouter): void {
    router.service(
      ClientService,
      {
        status: () => this.#status(),
        createSession: (request) => {
          const id = `session-${this.#sessions.size + 1}`;
          this.#sessions.set(id, new ScriptedSession(id, request.workingFolder));
          return { sessionId: id };
        },
        listSessions: () => ({ sessions: [...this.#sessions.values()].map((session) => session.summary()) }),
        sendMessage: (request) => this.#send(request),
        watch: (request, context) => this.#session(request.sessionId).watch(request, context.signal),
        cancelRun: (request) => {
          const { cancel } = this.#session(request.sessionId);
          cancel.abort();
          return { cancelled: true };
        },
        decideApproval: (request) => {
          this.decisions.push(request);
          this.#session(request.sessionId).decided.resolve(request.answer);
          return { accepted: true };
        },
        stop: () => {
          this.stopRequests++;
          setTimeout(() => this.onStop(), 20);
          return {};
        },
      },
      {
        interceptors: [
          (next) => (request) => {
            if (request.header.get('authorization') === `Bearer ${this.#token}`) return next(request);
            throw new ConnectError('the token is not that of this engine', Code.Unauthenticated);
          },
        ],
      },
    );
  }

  async #status() {
    if (this.silent) await new Promise<void>(() => {});
    return {
      version: '0.1.0',
      protocolVersion: this.protocolVersion,
      supervisorPid: this.supervisorPid,
      enginePid: process.pid,
      processes: [{ kind: 'agent', pid: process.pid, sessionId: 'session-1' }],
      httpAddress: 'http://127.0.0.1:7411',
      model: 'offline/echo',
      startedAt: '2026-01-01T00:00:00.000Z',
      sessions: this.#sessions.size,
      activeRuns: 0,
      notices: this.notices,
    };
  }

  #send(request: SendMessageRequest) {
    const session = this.#session(request.sessionId);
    const duplicate = this.received.some(({ messageId }) => messageId === request.messageId);
    this.received.push(request);
    if (!duplicate) session.enqueue(() => this.#script(new ScriptedRun(session, request)));
    return { messageId: request.messageId, afterSeq: session.lastSeq, duplicate };
  }
}

/** What a script works with. */
export class ScriptedRun {
  readonly request: SendMessageRequest;
  readonly session: ScriptedSession;

  constructor(session: ScriptedSession, request: SendMessageRequest) {
    this.session = session;
    this.request = request;
  }

  get cancelled(): AbortSignal {
    return this.session.cancel.signal;
  }

  emit(...bodies: readonly EventBody[]): void {
    for (const body of bodies)
      this.session.emit(body, body.type === 'idle' ? '' : `run-${this.request.messageId}`);
  }

  start(): void {
    this.emit({ type: 'agent_start', message: this.request.messageId });
  }

  settle(fields: Partial<Extract<EventBody, { type: 'settled' }>>, options = { idle: true }): void {
    this.emit({ type: 'agent_end', message: this.request.messageId });
    this.emit({
      type: 'settled',
      message: this.request.messageId,
      outcome: 'completed',
      answer: '',
      usage: { inputTokens: 1, outputTokens: 1, cachedInputTokens: 0, reasoningTokens: 0 },
      cost: null,
      rounds: 1,
      ...fields,
    });
    if (options.idle) this.emit({ type: 'idle' });
  }

  /** An answer in pieces. */
  say(...pieces: readonly string[]): void {
    this.emit({ type: 'message_start', role: 'assistant' });
    for (const text of pieces) this.emit({ type: 'text_delta', text });
    this.emit({ type: 'message_end', role: 'assistant', text: pieces.join(''), stopReason: 'stop' });
  }

  approval(): Promise<ApprovalAnswer> {
    return this.session.decided.promise;
  }
}

class ScriptedSession {
  readonly id: string;
  readonly workingFolder: string;
  readonly log: WatchResponse[] = [];
  lastSeq = 0;
  cancel = new AbortController();
  decided = Promise.withResolvers<ApprovalAnswer>();
  #wake = Promise.withResolvers<void>();
  #queue: Promise<void> = Promise.resolve();

  constructor(id: string, workingFolder = '/') {
    this.id = id;
    this.workingFolder = workingFolder;
  }

  summary() {
    return {
      sessionId: this.id,
      title: `title of ${this.id}`,
      workingFolder: this.workingFolder,
      createdAt: '2026-01-01T00:00:00.000Z',
      updatedAt: '2026-01-02T00:00:00.000Z',
      messages: this.log.length,
    };
  }

  enqueue(run: () => Promise<void>): void {
    this.#queue = this.#queue.then(async () => {
      this.cancel = new AbortController();
      await run();
    });
  }

  emit(body: EventBody, turn: string): void {
    const ephemeral = body.type.endsWith('_delta') || body.type === 'gap';
    if (!ephemeral) this.lastSeq++;
    const seq = ephemeral ? this.lastSeq + 1 : this.lastSeq;
    const time = '2026-01-01T00:00:00.000Z';
    const event = { seq, time, session: this.id, turn, ...(ephemeral ? { ephemeral } : {}), ...body };
    const json = JSON.stringify(event);
    this.log.push(create(WatchResponseSchema, { seq, type: body.type, ephemeral, json }));
    this.#wake.resolve();
    this.#wake = Promise.withResolvers();
  }

  /** Durable events after a number, then live ones; deltas from before the call are gone. */
  async *watch(request: WatchRequest, signal: AbortSignal): AsyncGenerator<WatchResponse> {
    const left = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
    const before = this.log.length;
    let index = 0;
    while (!signal.aborted) {
      for (; index < this.log.length; index++) {
        const line = this.log[index];
        if (line === undefined || line.seq <= request.afterSeq) continue;
        if (line.ephemeral && index < before) continue;
        yield line;
      }
      if (!request.follow) return;
      const woken = this.#wake.promise;
      if (index === this.log.length) await Promise.race([woken, left]);
    }
  }
}

/** For scripts that must not be reached. */
export const noScript: Script = () =>
  Promise.reject(new BulkheadError('internal', 'no message was expected'));
