import { type DescMessage, fromBinary, type MessageShape } from '@bufbuild/protobuf';
import { BulkheadError } from '@bulkhead/protocol';
import { FrameReader } from './frame.ts';

/**
 * The messages of a client's gRPC stream, in order. Pulls: nothing is read ahead of the consumer
 * except what the flow-control window allows.
 *
 * @param source chunks of the stream's body
 * @throws BulkheadError `protocol_violation` for anything that isn't a whole message of `schema`;
 *   else errors of `source`
 */
export async function* readMessages<Schema extends DescMessage>(
  source: AsyncIterable<Uint8Array>,
  schema: Schema,
  maxBytes: number,
): AsyncGenerator<MessageShape<Schema>, void, undefined> {
  const frames = new FrameReader(maxBytes);
  for await (const chunk of source) {
    for (const bytes of frames.push(chunk)) yield decode(schema, bytes);
  }
  if (!frames.idle) throw new BulkheadError('protocol_violation', 'the stream ended inside a message');
}

function decode<Schema extends DescMessage>(schema: Schema, bytes: Uint8Array): MessageShape<Schema> {
  try {
    return fromBinary(schema, bytes);
  } catch (cause) {
    throw new BulkheadError('protocol_violation', `a malformed ${schema.name} came`, { cause });
  }
}
