/**
 * The model of the benchmark, in its own process: its answer depends on the requested model's name,
 * so that nothing has to be switched between two measurements. It notes the times of requests and
 * answers. On `take`, it sends its notes to its parent and forgets them.
 */
import { type RecordedRequest, type ScriptedReply, startScriptedModelServer } from '@bulkhead/testkit';
import type { Exchange } from './exchange.ts';
import { monotonicMs } from './monotonic-ms.ts';

interface Group {
  missing: number;
  readonly open: () => void;
  readonly opened: Promise<void>;
}

/** Holds back what arrives until its whole group has: then all of it goes on at once, and a new group begins. */
class ArrivalGate {
  readonly #groups = new Map<string, Group>();

  /** @param size how many the group waits for */
  arrive(name: string, size: number): Promise<void> {
    const group = this.#groups.get(name) ?? this.#begin(name, size);
    group.missing -= 1;
    if (group.missing === 0) {
      this.#groups.delete(name);
      group.open();
    }
    return group.opened;
  }

  #begin(name: string, size: number): Group {
    const { promise, resolve } = Promise.withResolvers<void>();
    const group = { missing: size, open: resolve, opened: promise };
    this.#groups.set(name, group);
    return group;
  }
}

const DELTA = ' word';

const gate = new ArrivalGate();

let exchanges: Exchange[] = [];

const server = await startScriptedModelServer(async (request) => {
  const { model, results } = whatIsAsked(request);
  const requestAt = monotonicMs();
  const at = exchanges.length;
  exchanges.push({ model, requestAt, lastByteAt: undefined, bodyText: request.bodyText });
  const list = exchanges;
  void request.disconnected.then(() => {
    const exchange = list[at];
    if (exchange !== undefined) list[at] = { ...exchange, lastByteAt: monotonicMs() };
  });
  return await replyTo(model, results);
});

process.on('message', () => {
  process.send?.(exchanges);
  exchanges = [];
});
process.on('disconnect', () => process.exit());
process.send?.({ url: `${server.url}/v1` });

function replyTo(model: string, results: number): ScriptedReply | Promise<ScriptedReply> {
  const [kind, ...numbers] = model.split('-');
  const [wanted = 0, deltas = 0, pauseMs = 0] = numbers.map(Number);
  switch (kind) {
    case 'deltas':
      return { repeat: { text: DELTA, count: wanted } };
    case 'paced':
      return { text: Array.from({ length: wanted }, () => DELTA), chunkDelayMs: 1 };
    case 'together':
      return together(model, { askers: wanted, deltas, pauseMs });
    case 'read':
      return results < wanted ? call(results, 'read', { path: 'note.txt' }) : { text: 'done' };
    case 'bash':
      return results < wanted ? call(results, 'bash', { command: 'true' }) : { text: 'done' };
    case 'mixed':
      return mixed(results);
    default:
      return { text: ['Hi', ' there', '.'] };
  }
}

/** Answers so many at once: none begins before all have asked. */
async function together(
  model: string,
  { askers, deltas, pauseMs }: { readonly askers: number; readonly deltas: number; readonly pauseMs: number },
): Promise<ScriptedReply> {
  await gate.arrive(model, askers);
  return { text: Array.from({ length: deltas }, () => DELTA), chunkDelayMs: pauseMs };
}

/** One round of `read`, one of `bash`, then an answer of some length. */
function mixed(results: number): ScriptedReply {
  if (results === 0) return call(results, 'read', { path: 'note.txt' });
  if (results === 1) return call(results, 'bash', { command: 'true' });
  return { repeat: { text: DELTA, count: 500 } };
}

function call(index: number, name: string, args: object): ScriptedReply {
  return { toolCalls: [{ id: `call_${index + 1}`, name, args }] };
}

function whatIsAsked({ body }: RecordedRequest): { readonly model: string; readonly results: number } {
  if (typeof body !== 'object' || body === null) return { model: '', results: 0 };
  const model = 'model' in body ? String(body.model) : '';
  const messages: readonly unknown[] =
    'messages' in body && Array.isArray(body.messages) ? body.messages : [];
  return { model, results: messages.filter(isToolResult).length };
}

function isToolResult(message: unknown): boolean {
  return typeof message === 'object' && message !== null && 'role' in message && message.role === 'tool';
}
