import { ApprovalMode, Delivery } from '@bulkhead/protocol/client';
import type { Written } from '../live/outbox.svelte.ts';

/** Longest message that the engine takes, in characters, and most and largest images. */
const LONGEST = 1_000_000;
const MOST_IMAGES = 20;
const LARGEST_IMAGE = 5 * 1024 * 1024;
const IMAGE_TYPES: readonly string[] = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'];

/** What a person chose for the answers to come. */
export interface ComposeChoices {
  /** `provider/model`; empty for the configured one. */
  readonly model: string;
  readonly dryRun: boolean;
}

export type AttachedImage = Written['images'][number];

export function written(
  text: string,
  images: readonly AttachedImage[],
  delivery: Delivery,
  { model, dryRun }: ComposeChoices,
): Written {
  // Somebody looks at this page: what needs approval asks.
  return { text, images, delivery, options: { approve: ApprovalMode.ASK, model, dryRun } };
}

export function editedMessage(text: string): Written {
  return written(text, [], Delivery.UNSPECIFIED, { model: '', dryRun: false });
}

/** Why a message can't be sent as it is; undefined if it can. */
export function messageProblem(text: string): string | undefined {
  if (text.length <= LONGEST) return undefined;
  const size = `${(text.length / 1_000_000).toFixed(1)} million characters`;
  return `This text has ${size}; a message takes at most one million. Put it into a file of the working folder, and ask for that.`;
}

/**
 * Why a message that reads like a command of the terminal is not sent; undefined for any other. A path (`/usr/bin is …`) is none.
 *
 * @param templates names that `/NAME` stands for
 */
export function commandProblem(text: string, templates: readonly string[]): string | undefined {
  const name = /^\/([a-z][a-z-]*)(?=\s|$)/u.exec(text)?.[1];
  if (name === undefined || templates.includes(name)) return undefined;
  return `There is no template /${name}. Commands are the terminal's: here, buttons do what they do. Put a space before it to send it as it is.`;
}

/**
 * Reads the files that are images.
 *
 * @returns the images, and why others were left out
 */
export async function readImages(
  files: readonly File[],
  already: number,
): Promise<{ readonly images: readonly AttachedImage[]; readonly problems: readonly string[] }> {
  const images: AttachedImage[] = [];
  const problems: string[] = [];
  for (const file of files) {
    const problem = imageProblem(file, already + images.length);
    if (problem === undefined) {
      images.push({ mediaType: file.type, data: new Uint8Array(await file.arrayBuffer()) });
    } else {
      problems.push(problem);
    }
  }
  return { images, problems };
}

function imageProblem({ name, size, type }: File, count: number): string | undefined {
  if (!IMAGE_TYPES.includes(type)) {
    return `${name} is no PNG, JPEG, GIF or WebP image. Put other files into the working folder, and name them in the message.`;
  }
  if (size > LARGEST_IMAGE) return `${name} is larger than 5 MB.`;
  return count >= MOST_IMAGES ? `A message takes at most ${MOST_IMAGES} images.` : undefined;
}
