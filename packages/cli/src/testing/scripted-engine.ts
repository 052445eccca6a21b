import { randomBytes } from 'node:crypto';
import { chmodSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Http2Server, type ServerHttp2Session } from 'node:http2';
import { errorMetadata } from '@bulkhead/client';
import {
  BulkheadError,
  type EventBody,
  type HomeLayout,
  matchId,
  PROTOCOL_VERSION,
} from '@bulkhead/protocol';
import {
  type CancelRunRequest,
  ClientService,
  type CreateSessionRequest,
  type DecideApprovalRequest,
  type SendMessageRequest,
} from '@bulkhead/protocol/client';
import { Code, ConnectError, type ConnectRouter, type ServiceImpl } from '@connectrpc/connect';
import { connectNodeAdapter } from '@connectrpc/connect-node';
import { type Script, ScriptedSession } from './scripted-session.ts';

export type { Script, ScriptedRun } from './scripted-session.ts';

/**
 * An engine for tests: the real wire (gRPC by connect-node, unix socket, token), scripted runs
 * behind it. Its sessions outlive `crash()`, as a real engine's log does.
 */
export class ScriptedEngine {
  readonly layout: HomeLayout;
  readonly received: SendMessageRequest[] = [];
  readonly created: CreateSessionRequest[] = [];
  readonly cancelled: CancelRunRequest[] = [];
  readonly decisions: DecideApprovalRequest[] = [];
  protocolVersion = PROTOCOL_VERSION;
  /** While true, `Status` never answers. */
  silent = false;
  stopRequests = 0;
  model = 'offline/echo';
  supervisorPid = 0;
  /** Called once `Stop` has been answered. */
  onStop: () => void = () => {};
  notices: string[] = [];
  sandbox = 'on';
  /** Calls with other answers than here, or without a default. */
  answers: Partial<ServiceImpl<typeof ClientService>> = {};
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

  /** Ends without notice; the socket file stays. */
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

  /** @param events bodies of a finished run */
  addSession(id: string, events: readonly EventBody[], offTheRecord = false, folder = '/'): void {
    const session = new ScriptedSession(id, folder, offTheRecord);
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
          this.created.push(request);
          this.#sessions.set(id, new ScriptedSession(id, request.workingFolder, request.offTheRecord));
          return { sessionId: id };
        },
        readSession: ({ sessionId }) => ({
          session: sessionAmong(
            [...this.#sessions.values()].map((session) => session.summary()),
            sessionId,
          ),
        }),
        listSessions: () => ({ sessions: [...this.#sessions.values()].map((session) => session.summary()) }),
        // Its sessions were not imported from a file.
        async *readBranch({ imported, sessionId }) {
          if (!imported) throw new ConnectError(`no branch of ${sessionId} is scripted`, Code.Unimplemented);
          yield* [];
        },
        sendMessage: (request) => this.#send(request),
        watch: (request, context) => this.#session(request.sessionId).watch(request, context.signal),
        cancelRun: (request) => {
          this.cancelled.push(request);
          return { cancelled: this.#session(request.sessionId).end(request.messageId) };
        },
        decideApproval: (request) => {
          this.decisions.push(request);
          this.#session(request.sessionId).decided.resolve(request.answer);
          return { accepted: true };
        },
        expandTemplate: ({ name }) => {
          throw new ConnectError(`there is no template ${name}`, Code.NotFound);
        },
        readAccessToken: () => ({ token: 'bulkhead_of-the-owner' }),
        stop: () => {
          this.stopRequests++;
          setTimeout(() => this.onStop(), 20);
          return {};
        },
        ...this.answers,
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
      model: this.model,
      startedAt: '2026-01-01T00:00:00.000Z',
      sessions: this.#sessions.size,
      activeRuns: 0,
      notices: this.notices,
      sandbox: this.sandbox,
    };
  }

  #send(request: SendMessageRequest) {
    const session = this.#session(request.sessionId);
    const duplicate = this.received.some(({ messageId }) => messageId === request.messageId);
    const afterSeq = session.lastSeq;
    this.received.push(request);
    if (!duplicate) session.enqueue(request, this.#script);
    return { messageId: request.messageId, afterSeq, duplicate };
  }
}

/** Finds a session as the engine does. */
export function sessionAmong<Session extends { readonly sessionId: string }>(
  sessions: readonly Session[],
  given: string,
): Session {
  const ids = sessions.map(({ sessionId }) => sessionId);
  const found = sessions.find(({ sessionId }) => sessionId === wholeId(given, ids));
  if (found === undefined) throw new ConnectError(`there is no session ${given}`, Code.NotFound);
  return found;
}

function wholeId(given: string, ids: readonly string[]): string | undefined {
  try {
    return matchId(given, ids, 'sessions');
  } catch (cause) {
    const error = BulkheadError.from(cause);
    throw new ConnectError(error.message, Code.InvalidArgument, errorMetadata(error));
  }
}

/** For scripts that must not run. */
export const noScript: Script = () =>
  Promise.reject(new BulkheadError('internal', 'no message was expected'));
