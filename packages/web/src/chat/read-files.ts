import type { Attached } from './compose.ts';

/** The engine's limits: number and size of images, and number of text files. */
const MOST = 20;
const LARGEST_IMAGE = 5 * 1024 * 1024;
/** Larger files exceed a million characters: they are not read. */
const LARGEST_TEXT = 4_000_000;
const LONGEST_NAME = 255;
const IMAGE_TYPES: readonly string[] = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'];
const PDF = '%PDF-';
const INSTEAD = 'Put it into the working folder, and name it in the message.';

/**
 * Reads files to attach to a message: images, and texts by content.
 *
 * @returns both, added to the existing ones, and the reasons for omitted files
 */
export async function readFiles(
  given: readonly File[],
  already: Attached,
): Promise<Attached & { readonly problems: readonly string[] }> {
  const images = [...already.images];
  const files = [...already.files];
  const problems: string[] = [];
  for (const file of given) {
    const isImage = IMAGE_TYPES.includes(file.type);
    const full = (isImage ? images : files).length >= MOST;
    const read = full
      ? `A message takes at most ${MOST} ${isImage ? 'images' : 'files'}.`
      : await readFile(file);
    if (typeof read === 'string') problems.push(read);
    else if ('data' in read) images.push(read);
    else files.push(read);
  }
  return { images, files, problems };
}

/** @returns the reason why a text can't be sent */
async function readFile(
  file: File,
): Promise<Attached['images'][number] | Attached['files'][number] | string> {
  if (IMAGE_TYPES.includes(file.type)) {
    if (file.size > LARGEST_IMAGE) return `${file.name} is larger than 5 MB.`;
    return { mediaType: file.type, data: new Uint8Array(await file.arrayBuffer()) };
  }
  if (file.size > LARGEST_TEXT) {
    return `${file.name} has ${Math.ceil(file.size / 1_000_000)} MB: too much for a message. ${INSTEAD}`;
  }
  const text = textOf(await file.arrayBuffer());
  if (text?.startsWith(PDF))
    return `${file.name} is a PDF: only texts and images can be attached. ${INSTEAD}`;
  if (text === undefined) return `${file.name} is no text, and no PNG, JPEG, GIF or WebP image. ${INSTEAD}`;
  if (text.trim() === '') return `${file.name} is empty.`;
  return { name: file.name.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]/gu, ' ').slice(0, LONGEST_NAME), text };
}

/** Decodes bytes as UTF-8; undefined for bytes that are not text. For a PDF, its beginning. */
function textOf(bytes: ArrayBuffer): string | undefined {
  const head = new TextDecoder('latin1').decode(bytes.slice(0, PDF.length));
  if (head === PDF) return head;
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return text.includes('\0') ? undefined : text;
  } catch {
    return undefined;
  }
}
