import { fileURLToPath } from 'node:url';
import type { ContentBlock } from '@agentclientprotocol/sdk';
import { BulkheadError } from '@bulkhead/protocol';

/** A prompt in the form the engine accepts. */
export interface PromptMessage {
  readonly text: string;
  readonly images: readonly { readonly mediaType: string; readonly data: Uint8Array }[];
}

const IMAGE_TYPES: ReadonlySet<string> = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp']);

/**
 * Converts a person's prompt from an editor. A referenced file is named, not embedded: the agent
 * reads it with its own boxed tool, which labels the content as coming from the file. Embedded, it
 * would count as the person's own words.
 *
 * @throws BulkheadError `usage` for content that no model accepts, or an empty prompt
 */
export function promptMessage(prompt: readonly ContentBlock[]): PromptMessage {
  const images = prompt.flatMap((block) => (block.type === 'image' ? [image(block)] : []));
  const text = prompt.map(wordsOf).join('').trim();
  if (text === '' && images.length === 0) throw usage('the prompt is empty');
  return { text, images };
}

function wordsOf(block: ContentBlock): string {
  switch (block.type) {
    case 'text':
      return block.text;
    case 'resource_link':
      return ` ${placeOf(block.uri)} `;
    case 'resource':
      return ` ${placeOf(block.resource.uri)} `;
    case 'image':
      return '';
    case 'audio':
      throw usage('sound is not supported');
  }
}

/** A file by its path, everything else by its address. */
function placeOf(uri: string): string {
  try {
    return uri.startsWith('file:') ? fileURLToPath(uri) : uri;
  } catch {
    return uri;
  }
}

function image({
  data,
  mimeType,
}: {
  readonly data: string;
  readonly mimeType: string;
}): PromptMessage['images'][number] {
  if (!IMAGE_TYPES.has(mimeType)) throw usage(`an image is PNG, JPEG, GIF or WebP, not ${mimeType}`);
  const bytes = Buffer.from(data, 'base64');
  if (bytes.length === 0) throw usage('an image of the prompt is empty, or is not base64');
  return { mediaType: mimeType, data: bytes };
}

function usage(message: string): BulkheadError {
  return new BulkheadError('usage', message);
}
