import { BulkheadError } from '@bulkhead/protocol';
import * as z from 'zod';
import type { DocumentToRender, RenderedDocument } from './render-document.ts';

/**
 * The protocol between engine and renderer, over the renderer's descriptor 3, used once: the engine
 * sends one line of JSON and then the document's bytes up to the end of the stream; the renderer
 * sends one JSON text and ends.
 */
const NEWLINE = 0x0a;

const request = z.strictObject({
  contentType: z.string(),
  url: z.string(),
  maxBytes: z.int().positive(),
  as: z.enum(['page', 'raw']),
});

/** A renderer's statement about itself deserves as little trust as the page it read. */
const answer = z.object({
  kind: z.enum(['page', 'text', 'binary']),
  title: z.string().max(1_000),
  text: z.string(),
  links: z.array(z.object({ text: z.string().max(1_000), url: z.string().max(10_000) })).max(200),
  truncated: z.boolean(),
});

export function renderRequest(document: DocumentToRender): string {
  return `${JSON.stringify(document)}\n`;
}

/** @throws BulkheadError `protocol_violation` */
export function parseRenderRequest(bytes: Buffer): {
  readonly document: DocumentToRender;
  readonly bytes: Buffer;
} {
  const end = bytes.indexOf(NEWLINE);
  if (end < 0) throw new BulkheadError('protocol_violation', 'the request to render has no first line');
  const document = parsed(request, bytes.subarray(0, end).toString());
  return { document, bytes: bytes.subarray(end + 1) };
}

/** @throws BulkheadError `protocol_violation` */
export function parseRenderAnswer(text: string): RenderedDocument {
  return parsed(answer, text);
}

function parsed<Value>(schema: z.ZodType<Value>, text: string): Value {
  try {
    return schema.parse(JSON.parse(text));
  } catch (cause) {
    throw new BulkheadError(
      'protocol_violation',
      'the renderer and the engine did not understand each other',
      {
        cause,
      },
    );
  }
}
