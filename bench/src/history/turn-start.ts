import { randomUUID } from 'node:crypto';
import type { EngineClient } from '@bulkhead/client';
import type { ModelServer } from '../model-server-process.ts';
import { monotonicMs } from '../monotonic-ms.ts';

export interface TurnStart {
  /** From sending the message to the model having read the whole request, milliseconds. */
  readonly ms: number;
  /** How many messages the request held. */
  readonly messages: number;
}

/** Lets a session do one turn to its end. */
export async function measureTurn(
  client: EngineClient,
  server: ModelServer,
  sessionId: string,
  signal: AbortSignal,
): Promise<TurnStart> {
  await server.take();
  const sentAt = monotonicMs();
  const { afterSeq } = await client.call(
    'sendMessage',
    { sessionId, messageId: randomUUID(), content: 'say hi' },
    signal,
  );
  for await (const { type } of client.stream('watch', { sessionId, afterSeq, follow: true }, signal)) {
    if (type === 'settled') break;
  }
  const [exchange] = await server.take();
  if (exchange === undefined) throw new Error(`the turn in ${sessionId} asked no model`);
  const body: { readonly messages?: readonly unknown[] } = JSON.parse(exchange.bodyText);
  return { ms: exchange.requestAt - sentAt, messages: body.messages?.length ?? 0 };
}
