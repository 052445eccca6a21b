import { Readable, type Writable } from 'node:stream';
import { type AgentContext, agent, methods, ndJsonStream, RequestError } from '@agentclientprotocol/sdk';
import { BulkheadError, type Clock, describeError, type HomeLayout } from '@bulkhead/protocol';
import { AcpAgent } from './acp-agent.ts';
import { EngineDoor } from './engine-door.ts';

/**
 * Most of one message, bytes: a message of the engine's largest size in base64, and some reserve.
 */
const MAX_MESSAGE_BYTES = 16 * 1024 * 1024;

export interface AcpEnvironment {
  readonly layout: HomeLayout;
  /** The supervisor's bundle, to start an engine if none runs. */
  readonly supervisor: URL;
  /** Passed on to a started engine. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdin: Readable;
  /** Carries only the protocol. */
  readonly stdout: Writable;
  readonly log: (line: string) => void;
  readonly clock: Clock;
  readonly newId: () => string;
  /** Offered beside the configured model, as `provider/model`. */
  readonly models: readonly string[];
  /** Fires to end the service. */
  readonly stop: AbortSignal;
}

/**
 * Speaks the Agent Client Protocol until the editor leaves. Then cancels its runs.
 *
 * @throws Error that broke the connection, for example a message that is too large
 */
export async function serveAcp(environment: AcpEnvironment): Promise<void> {
  const { layout, supervisor, env, clock, newId, models, log, stop } = environment;
  using door = new EngineDoor(layout, { supervisor, env, channel: 'acp' }, clock);
  const acp = new AcpAgent({ door, clock, newId, models, log });
  const input = Readable.toWeb(environment.stdin);
  const stream = ndJsonStream(lineSink(environment.stdout), input, { maxMessageBytes: MAX_MESSAGE_BYTES });
  const connection = serving(acp).connect(stream);
  const leave = () => connection.close();
  stop.addEventListener('abort', leave, { once: true });
  if (stop.aborted) leave();
  try {
    await connection.closed;
  } finally {
    stop.removeEventListener('abort', leave);
    await acp.close();
  }
}

function serving(acp: AcpAgent) {
  const { session } = methods.agent;
  // An editor knows a session only after the answer that names it.
  const tellBeside = (sessionId: string, client: AgentContext) =>
    setImmediate(() => acp.tellBeside(sessionId, client));
  return agent({ name: 'bulkhead' })
    .onRequest(methods.agent.initialize, ({ params }) => acp.initialize(params))
    .onRequest(session.new, ({ params, client, signal }) =>
      told(async () => {
        const state = await acp.newSession(params, signal);
        tellBeside(state.sessionId, client);
        return state;
      }),
    )
    .onRequest(session.load, ({ params, client, signal }) =>
      told(async () => {
        const state = await acp.loadSession(params, client, signal);
        tellBeside(params.sessionId, client);
        return state;
      }),
    )
    .onRequest(session.resume, ({ params, client, signal }) =>
      told(async () => {
        const state = await acp.resumeSession(params, signal);
        tellBeside(params.sessionId, client);
        return state;
      }),
    )
    .onRequest(session.list, ({ params, signal }) =>
      told(() => acp.listSessions(params.cwd ?? undefined, signal)),
    )
    .onRequest(session.close, ({ params }) => told(async () => acp.closeSession(params.sessionId)))
    .onRequest(session.setMode, ({ params }) =>
      told(async () => {
        acp.setMode(params.sessionId, params.modeId);
        return {};
      }),
    )
    .onRequest(session.setConfigOption, ({ params }) =>
      told(async () => ({ configOptions: acp.setOption(params) })),
    )
    .onRequest(session.prompt, ({ params, client, signal }) =>
      told(async () => ({ stopReason: await acp.prompt(params, client, signal) })),
    )
    .onNotification(session.cancel, ({ params }) => acp.cancel(params.sessionId));
}

/** Codes of JSON-RPC and of the protocol. */
const INVALID_PARAMS = -32602;
const INTERNAL = -32603;
const NOT_FOUND = -32002;

const CODES: Readonly<Record<string, number>> = {
  usage: INVALID_PARAMS,
  invalid_arguments: INVALID_PARAMS,
  not_found: NOT_FOUND,
};

/** An error as an editor shows it: the problem and its remedy, with our own code. */
function acpError(cause: unknown): RequestError {
  if (cause instanceof RequestError) return cause;
  const error = BulkheadError.from(cause);
  const code = CODES[error.code] ?? INTERNAL;
  return new RequestError(code, describeError(error), { code: error.code, retryable: error.retryable });
}

/** Runs `work` and converts its errors to the protocol's. */
async function told<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (cause) {
    throw acpError(cause);
  }
}

/**
 * A standard stream as the protocol writes to it: piece by piece, each after the previous one was
 * accepted.
 */
function lineSink(stream: Writable): WritableStream<Uint8Array> {
  return new WritableStream({
    write: (piece) =>
      new Promise<void>((resolve, reject) => {
        stream.write(piece, (error) => (error ? reject(error) : resolve()));
      }),
  });
}
