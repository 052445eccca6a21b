import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  type DescMessage,
  type DescMethod,
  type DescMethodServerStreaming,
  type DescMethodUnary,
  isMessage,
  type JsonObject,
  type JsonValue,
  type Message,
  toJson,
} from '@bufbuild/protobuf';
import type { BulkheadError, CallOrigin } from '@bulkhead/protocol';
import { WatchResponseSchema } from '@bulkhead/protocol/client';
import { isInQuery } from '@bulkhead/protocol/routes';
import { errorBody, plainHeaders, refusal, sendJson } from '../answer.ts';
import type { FoundRoute } from '../routes/router.ts';
import type { Service } from '../service.ts';
import { readJsonBody } from './read-body.ts';
import { queryMembers, readInput } from './read-input.ts';

/** Largest body of a call without its own limit, in bytes. */
const BODY_BYTES = 8 * 1024 * 1024;
/** A stream that has sent nothing for this long sends its headers, in milliseconds. */
const QUIET_MS = 100;

/**
 * Turns a request into its call and the answer into JSON. A streaming call answers with JSON lines;
 * an error in the middle of the stream is its last line.
 *
 * @param parts.publicError Turns an error in the form for the client
 * @param parts.check throws if this caller may not make the call
 * @param parts.arrived receives the size of each part of the body; throws if this caller sends
 *   too much at once
 * @param parts.streams for a streaming call; throws if this caller has too many
 */
export async function serveCall(
  { route, method, named }: FoundRoute,
  query: URLSearchParams,
  request: IncomingMessage,
  response: ServerResponse,
  parts: {
    readonly service: Service;
    readonly origin: CallOrigin;
    publicError(error: unknown): BulkheadError;
    check(input: Message): void;
    arrived(bytes: number): void;
    streams(): Disposable;
  },
): Promise<void> {
  const { service, origin, publicError, check, arrived } = parts;
  const left = new AbortController();
  response.once('close', () => left.abort());
  const inQuery = isInQuery(route);
  const body = await readJsonBody(request, inQuery ? 0 : (route.bodyBytes ?? BODY_BYTES), arrived);
  if (!inQuery && query.size > 0)
    throw refusal(400, 'usage', 'members of this call go in its body, not in its address');
  const rest = inQuery ? queryMembers(method.input, query) : objectOf(body);
  const input = readInput(method.input, named, rest);
  check(input);
  if (isUnary(method)) {
    const answer = await service.unary(method, input, left.signal, origin);
    sendJson(response, 200, jsonOf(method.output, answer));
  } else if (isStream(method)) {
    using _place = parts.streams();
    await sendLines(response, callStream(method, input, service, left.signal), publicError);
  } else {
    throw refusal(405, 'usage', 'this call takes a stream, which HTTP does not offer');
  }
}

function isUnary(method: DescMethod): method is DescMethod & DescMethodUnary<DescMessage, DescMessage> {
  return method.methodKind === 'unary';
}

function isStream(
  method: DescMethod,
): method is DescMethod & DescMethodServerStreaming<DescMessage, DescMessage> {
  return method.methodKind === 'server_streaming';
}

async function* callStream(
  method: DescMethodServerStreaming<DescMessage, DescMessage>,
  input: Message,
  service: Service,
  signal: AbortSignal,
): AsyncGenerator<string> {
  for await (const message of service.stream(method, input, signal)) {
    // An event is sent as its line, as on all other ways.
    yield isMessage(message, WatchResponseSchema)
      ? message.json
      : JSON.stringify(jsonOf(method.output, message));
  }
}

function jsonOf(schema: DescMessage, message: Message): JsonValue {
  return toJson(schema, message, { alwaysEmitImplicit: true });
}

async function sendLines(
  response: ServerResponse,
  lines: AsyncGenerator<string>,
  publicError: (error: unknown) => BulkheadError,
): Promise<void> {
  const open = (): void => {
    if (!response.headersSent) response.writeHead(200, plainHeaders('application/x-ndjson')).flushHeaders();
  };
  // A client that follows needs to know that the call has begun, even if nothing happens for long.
  const soon = setTimeout(open, QUIET_MS);
  try {
    for await (const line of lines) {
      open();
      if (!response.write(`${line}\n`))
        await Promise.race([once(response, 'drain'), once(response, 'close')]);
      if (response.destroyed) return;
    }
    open();
    response.end();
  } catch (error) {
    // Before the first line, the status can still report the error.
    if (!response.headersSent) throw error;
    response.end(`${JSON.stringify(errorBody(publicError(error)))}\n`);
  } finally {
    clearTimeout(soon);
  }
}

function objectOf(body: unknown): JsonObject {
  if (body === undefined) return {};
  if (isObject(body)) return body;
  throw refusal(400, 'usage', 'the body is a JSON object');
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
