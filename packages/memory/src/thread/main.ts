/**
 * The thread of the index: started by `MemoryThread`, so that neither reading nor searching blocks
 * the engine.
 */
import { parentPort, workerData } from 'node:worker_threads';
import type { FileText } from '../index/index.ts';
import { type MemoryText, openMemoryIndex } from '../index/index.ts';
import type { Embedder } from '../vectors/index.ts';
import { Conversation } from './conversation.ts';
import type { NamedText, ThreadCall, ThreadData, ThreadMessage, ThreadQuestion } from './thread-messages.ts';

const { path, textCap, embedder }: ThreadData = workerData;
if (parentPort === null) throw new Error('this is the entry of a thread');
const port = parentPort;

/** Opened by the first call that succeeds; earlier calls receive the error. */
const opened = onceDone(() =>
  openMemoryIndex({
    path,
    onNotice: (notice) =>
      port.postMessage({ kind: 'notice', notice } satisfies ThreadMessage<ThreadQuestion>),
    ...(textCap === undefined ? {} : { textCap }),
    ...(embedder === undefined ? {} : { embedder: askedEmbedder(embedder) }),
  }),
);

const conversation = new Conversation<ThreadQuestion, ThreadCall>(port, async (call, signal) => {
  const index = opened();
  switch (call.method) {
    case 'sync':
      return await index.sync(call.texts.map(readable), { ...call.options, signal });
    case 'search':
      return await index.search(call.query, { ...call.options, signal });
    case 'size':
      return await index.size();
    case 'clear':
      return void (await index.clear());
    case 'close':
      return void (await index[Symbol.asyncDispose]());
  }
});
port.on('message', (message: ThreadMessage<ThreadCall>) => conversation.receive(message));

function readable(text: FileText | NamedText): MemoryText {
  if ('folder' in text) return text;
  const read = async () => {
    const given = await conversation.ask({ method: 'read', path: text.path, version: text.version });
    if (typeof given !== 'string') throw new Error('no text was given');
    return given;
  };
  return { ...text, read };
}

function askedEmbedder(named: { readonly id: string; readonly dimension: number }): Embedder {
  return {
    ...named,
    embed: async (texts, purpose, signal) => {
      const vectors = await conversation.ask({ method: 'embed', texts, purpose }, signal);
      return Array.isArray(vectors) ? vectors.filter((vector) => vector instanceof Float32Array) : [];
    },
  };
}

/** The value of the first call that doesn't throw. */
function onceDone<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
