import { readFileSync, statSync } from 'node:fs';
import { BulkheadError } from '@bulkhead/protocol';
import { unreadable } from '../arguments/unreadable.ts';

/** The engine's limits: one image, all images of a message, and their number. Bytes. */
const MAX_IMAGE_BYTES = 5 * 1024 * 1024;
const MAX_MESSAGE_BYTES = 7.5 * 1024 * 1024;
const MAX_IMAGES = 20;

/** An image as part of a message. */
export interface ReadImage {
  readonly mediaType: string;
  readonly data: Uint8Array;
}

/**
 * Reads the images of a message. The first bytes of a file decide its type; its name may be wrong.
 *
 * @param paths absolute
 * @param content the text beside them: both share the size of one message
 * @throws BulkheadError `usage` for a file that is no image, can't be read, or exceeds the engine's
 * limits
 */
export function readImages(paths: readonly string[], content: string): ReadImage[] {
  if (paths.length > MAX_IMAGES)
    throw usage(`${paths.length} images are more than the ${MAX_IMAGES} of one message`);
  const images = paths.map(readImage);
  const total = images.reduce((sum, { data }) => sum + data.length, Buffer.byteLength(content));
  if (images.length === 0 || total <= MAX_MESSAGE_BYTES) return images;
  throw usage(
    `the message has ${megabytes(total)} with its images, more than ${megabytes(MAX_MESSAGE_BYTES)}`,
    'Make the images smaller, or send them one by one.',
  );
}

function readImage(path: string): ReadImage {
  const size = sizeOf(path);
  if (size > MAX_IMAGE_BYTES) {
    throw usage(
      `the image ${path} has ${megabytes(size)}, more than ${megabytes(MAX_IMAGE_BYTES)}`,
      'Make it smaller.',
    );
  }
  const data = read(path);
  const mediaType = imageType(data);
  if (mediaType !== undefined) return { mediaType, data };
  throw usage(`${path} is not an image that models accept`, 'Use PNG, JPEG, GIF or WebP.');
}

function sizeOf(path: string): number {
  const found = attempt(path, () => statSync(path));
  // A pipe or a device has no size, and may never end.
  if (!found.isFile()) throw usage(`the image ${path} is not a file`);
  return found.size;
}

function read(path: string): Uint8Array {
  return attempt(path, () => readFileSync(path));
}

function attempt<T>(path: string, action: () => T): T {
  try {
    return action();
  } catch (cause) {
    throw unreadable(`the image ${path}`, cause, 'Name a picture: PNG, JPEG, GIF or WebP.');
  }
}

/**
 * The type by the first bytes (https://mimesniff.spec.whatwg.org/#matching-an-image-type-pattern);
 * undefined for any other.
 */
export function imageType(data: Uint8Array): string | undefined {
  const head = Buffer.from(data.subarray(0, 16)).toString('latin1');
  if (head.startsWith('\x89PNG\r\n\x1a\n')) return 'image/png';
  if (head.startsWith('\xff\xd8\xff')) return 'image/jpeg';
  if (head.startsWith('GIF87a') || head.startsWith('GIF89a')) return 'image/gif';
  return /^RIFF.{4}WEBPVP/s.test(head) ? 'image/webp' : undefined;
}

function megabytes(bytes: number): string {
  return `${(bytes / (1024 * 1024)).toFixed(1)} MiB`;
}

function usage(message: string, fix = 'Name another file, or leave it out.'): BulkheadError {
  return new BulkheadError('usage', message, { fix });
}
