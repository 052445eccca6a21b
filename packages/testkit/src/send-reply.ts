import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { setImmediate as nextTick, setTimeout as sleep } from 'node:timers/promises';
import type { RenderedReply } from './rendered-reply.ts';
import type { ScriptedReply, WireFormat } from './script.ts';
import { WIRES, type Wire } from './wire.ts';

const KEEP_ALIVE_MS = 20;

/**
 * Sends one scripted reply, faults included. Ends early, without an error, when the client leaves
 * or `signal` aborts.
 */
export async function sendReply(
  response: ServerResponse,
  format: WireFormat,
  reply: ScriptedReply,
  model: string,
  signal: AbortSignal,
): Promise<void> {
  const wire = WIRES[format];
  if (reply.delayMs !== undefined) await sleep(reply.delayMs, undefined, { signal });
  if (reply.error !== undefined) return sendError(response, wire, reply.error);
  if (reply.stall === 'before-first-byte') return;
  response.writeHead(200, { 'content-type': reply.contentType ?? wire.contentType });
  response.flushHeaders();
  if (reply.stall === 'keep-alive-only') return keepAlive(response, wire, signal);

  const rendered = wire.render(reply, model);
  if (reply.repeat !== undefined) return sendRepeated(response, rendered, reply.repeat, signal);
  await sendChunks(response, wire, withFaults(wire, rendered.chunks, reply), reply, signal);
}

function sendError(response: ServerResponse, wire: Wire, error: NonNullable<ScriptedReply['error']>): void {
  const body = error.body ?? wire.errorBody(error);
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  response.writeHead(error.status, { 'content-type': 'application/json', ...error.headers });
  response.end(text);
}

async function keepAlive(response: ServerResponse, wire: Wire, signal: AbortSignal): Promise<void> {
  for (;;) {
    await write(response, wire.beat, signal);
    await sleep(KEEP_ALIVE_MS, undefined, { signal });
  }
}

/**
 * The chunks with the malformed or failing event inserted; chunks after an error event are dropped.
 */
function withFaults(wire: Wire, chunks: readonly string[], reply: ScriptedReply): readonly string[] {
  if (reply.malformed !== undefined) {
    const at = reply.malformed.afterChunks;
    return [...chunks.slice(0, at), wire.dataChunk(reply.malformed.data), ...chunks.slice(at)];
  }
  if (reply.errorEvent !== undefined) {
    return [...chunks.slice(0, reply.errorEvent.afterChunks), wire.errorChunk(reply.errorEvent.body)];
  }
  return chunks;
}

async function sendChunks(
  response: ServerResponse,
  wire: Wire,
  chunks: readonly string[],
  reply: ScriptedReply,
  signal: AbortSignal,
): Promise<void> {
  const cut = reply.cut;
  if (reply.split !== undefined || (cut !== undefined && 'afterBytes' in cut)) {
    return sendPieces(response, Buffer.from(chunks.join('')), reply, signal);
  }
  for (const [index, chunk] of chunks.entries()) {
    if (cut?.afterChunks === index) return destroy(response);
    if (typeof reply.stall === 'object' && reply.stall.afterChunks === index) {
      return reply.stall.keepAlive === true ? keepAlive(response, wire, signal) : undefined;
    }
    await write(response, chunk, signal);
    if (reply.chunkDelayMs !== undefined) await sleep(reply.chunkDelayMs, undefined, { signal });
  }
  if (cut !== undefined) return destroy(response);
  response.end();
}

async function sendPieces(
  response: ServerResponse,
  body: Buffer,
  reply: ScriptedReply,
  signal: AbortSignal,
): Promise<void> {
  const end = reply.cut !== undefined && 'afterBytes' in reply.cut ? reply.cut.afterBytes : body.length;
  let from = 0;
  for (const to of [...offsets(reply.split ?? [], end), end]) {
    await write(response, body.subarray(from, to), signal);
    await nextTick(undefined, { signal });
    from = to;
  }
  if (reply.cut !== undefined) return destroy(response);
  response.end();
}

function offsets(split: NonNullable<ScriptedReply['split']>, end: number): readonly number[] {
  if (!('everyBytes' in split)) return split.filter((offset) => offset < end);
  const step = Math.max(1, split.everyBytes);
  return Array.from({ length: Math.max(0, Math.ceil(end / step) - 1) }, (_, index) => (index + 1) * step);
}

async function sendRepeated(
  response: ServerResponse,
  rendered: RenderedReply,
  repeat: NonNullable<ScriptedReply['repeat']>,
  signal: AbortSignal,
): Promise<void> {
  const perWrite = repeat.perWrite ?? 1;
  const block = Buffer.from(rendered.repeated.repeat(perWrite));
  const rest = Buffer.from(rendered.repeated.repeat(repeat.count % perWrite));
  await write(response, rendered.chunks.slice(0, rendered.repeatAt).join(''), signal);
  for (let sent = 0; sent + perWrite <= repeat.count; sent += perWrite) {
    if (!response.write(block)) await once(response, 'drain', { signal });
  }
  await write(response, rest, signal);
  response.end(rendered.chunks.slice(rendered.repeatAt).join(''));
}

async function write(response: ServerResponse, data: string | Buffer, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  if (data.length > 0 && !response.write(data)) await once(response, 'drain', { signal });
}

/** Lets written bytes leave first: data scripted before the cut must arrive. */
async function destroy(response: ServerResponse): Promise<void> {
  await sleep(5);
  response.destroy();
}
