/**
 * The model of the load program, a process of its own: what it answers is in the name of the model asked for
 * (`read`, `text-SIZE`, `line-SIZE`, `thinking-SIZE`, `arguments-SIZE`, sizes in bytes; `result-TOOL` calls one that has much to say). Sends its address to its parent.
 */
import { type RecordedRequest, type ScriptedReply, startScriptedModelServer } from '@bulkhead/testkit';

const PIECE_BYTES = 4_096;
/** A line of plain words, as a real model says them, so that no part of it looks like a secret. */
const WORDS = 'the quick brown fox jumps over the lazy dog and goes on to the next hill ';

/** Calls whose results have no end in sight. */
const CALLS: Readonly<Record<string, { readonly name: string; readonly args: object }>> = {
  bash: { name: 'bash', args: { command: 'cat big.txt' } },
  line: { name: 'bash', args: { command: "tr '\\n' ' ' < big.txt" } },
  read: { name: 'read', args: { path: 'big.txt' } },
  grep: { name: 'grep', args: { pattern: 'fox', path: '.' } },
};

const server = await startScriptedModelServer((request) => replyTo(request));
process.on('disconnect', () => process.exit());
process.send?.({ url: `${server.url}/v1` });

function replyTo({ body }: RecordedRequest): ScriptedReply {
  const { model, results } = whatIsAsked(body);
  const [kind = '', size = '0'] = model.split('-');
  const bytes = Number(size);
  const pieces = Math.ceil(bytes / PIECE_BYTES);
  switch (kind) {
    case 'read':
      return results === 0
        ? { toolCalls: [{ name: 'read', args: { path: 'note.txt' } }] }
        : { text: 'Read.' };
    case 'text':
      return { repeat: { text: textOf(PIECE_BYTES), count: pieces } };
    case 'line':
      return { text: textOf(bytes) };
    case 'thinking':
      return { thinking: Array.from({ length: pieces }, () => textOf(PIECE_BYTES)), text: 'Thought.' };
    case 'arguments':
      if (results > 0) return { text: 'Written.' };
      return { toolCalls: [{ name: 'write', args: { path: 'big.txt', content: textOf(bytes) } }] };
    case 'result':
      return results > 0 ? { text: 'Seen.' } : { toolCalls: [CALLS[size] ?? { name: 'read', args: {} }] };
    default:
      return { text: ['Hi', ' there', '.'] };
  }
}

function textOf(bytes: number): string {
  return WORDS.repeat(Math.ceil(bytes / WORDS.length)).slice(0, bytes);
}

function whatIsAsked(body: unknown): { readonly model: string; readonly results: number } {
  if (typeof body !== 'object' || body === null || !('messages' in body) || !Array.isArray(body.messages)) {
    return { model: '', results: 0 };
  }
  const messages: readonly unknown[] = body.messages;
  const isResult = (one: unknown) =>
    typeof one === 'object' && one !== null && 'role' in one && one.role === 'tool';
  return { model: 'model' in body ? String(body.model) : '', results: messages.filter(isResult).length };
}
