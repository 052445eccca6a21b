import { invalidRequest } from './api-error.ts';
import type { ImageInit } from './conversation-item.ts';
import { Fields } from './field-reader.ts';

/** Kinds of text parts, in both APIs. */
const TEXTS: readonly string[] = ['text', 'input_text', 'output_text', 'refusal'];

export interface Content {
  readonly text: string;
  readonly images: readonly ImageInit[];
}

/**
 * Reads the content of a message: a text, or a list of parts. Nothing is fetched: an image comes
 * with the request.
 *
 * @throws BulkheadError `usage` (400) for parts that can't be read
 */
export function readContent(fields: Fields, name: string): Content {
  const value = fields.value(name);
  if (value === undefined) return { text: '', images: [] };
  if (typeof value === 'string') return { text: fields.requiredText(name), images: [] };
  const texts: string[] = [];
  const images: ImageInit[] = [];
  for (const [index, each] of fields.requiredList(name).entries()) {
    const part = Fields.of(each, `${fields.at(name)}[${index}]`);
    const type = part.requiredText('type');
    if (TEXTS.includes(type)) texts.push(part.text(type === 'refusal' ? 'refusal' : 'text') ?? '');
    else if (type === 'image_url') images.push(readImage(part.object('image_url') ?? part, 'url'));
    else if (type === 'input_image') images.push(readImage(part, 'image_url'));
    else
      throw invalidRequest(
        `a part of type ${JSON.stringify(type.slice(0, 40))} can't be read here`,
        part.at('type'),
      );
  }
  return { text: texts.join('\n'), images };
}

function readImage(part: Fields, name: string): ImageInit {
  const [, mediaType, base64] =
    /^data:(image\/[a-z]+);base64,([A-Za-z0-9+/=\s]*)$/.exec(part.requiredText(name)) ?? [];
  if (mediaType === undefined || base64 === undefined) {
    throw invalidRequest(
      'an image comes with the request, as data:image/png;base64,…: nothing is fetched from an address',
      part.at(name),
      'invalid_image_url',
    );
  }
  return { mediaType, data: Buffer.from(base64, 'base64') };
}
