import { Socket } from 'node:net';
import { describeError } from '@bulkhead/protocol';
import { renderDocument } from './render-document.ts';
import { parseRenderRequest } from './render-wire.ts';

/** The connection to the engine: inherited at start, the only one of this process. */
const ENGINE_DESCRIPTOR = 3;

/** A renderer: reads one document, prints its text, and ends. */
async function main(): Promise<void> {
  const engine = new Socket({ fd: ENGINE_DESCRIPTOR, allowHalfOpen: true });
  const parts: Buffer[] = [];
  for await (const part of engine.iterator({ destroyOnReturn: false })) parts.push(part);
  const { document, bytes } = parseRenderRequest(Buffer.concat(parts));
  await new Promise<void>((resolve) => engine.end(JSON.stringify(renderDocument(bytes, document)), resolve));
}

try {
  await main();
} catch (error) {
  process.stderr.write(`bulkhead renderer: ${describeError(error)}\n`);
  process.exitCode = 1;
}
