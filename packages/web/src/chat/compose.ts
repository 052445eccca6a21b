import { ApprovalMode, Delivery } from '@bulkhead/protocol/client';
import type { Written } from '../live/outbox.svelte.ts';

/** Longest message with its files that the engine accepts, in characters. */
const LONGEST = 1_000_000;

/** The person's choices for later answers. */
export interface ComposeChoices {
  /** `provider/model`; empty for the configured one. */
  readonly model: string;
  readonly dryRun: boolean;
}

/** The attachments of a message. */
export type Attached = Pick<Written, 'images' | 'files'>;

export function written(
  text: string,
  { images, files }: Attached,
  delivery: Delivery,
  { model, dryRun }: ComposeChoices,
): Written {
  // A person looks at this page: actions that need approval ask.
  return { text, images, files, delivery, options: { approve: ApprovalMode.ASK, model, dryRun } };
}

/** A resent message keeps its attachments. */
export function editedMessage(text: string, attached: Attached): Written {
  return written(text, attached, Delivery.UNSPECIFIED, { model: '', dryRun: false });
}

/** The reason why a message can't be sent; undefined if it can. */
export function messageProblem(text: string, files: Attached['files'] = []): string | undefined {
  const length = files.reduce((sum, file) => sum + file.text.length, text.length);
  if (length <= LONGEST) return undefined;
  const size = `${(length / 1_000_000).toFixed(1)} million characters`;
  const what = files.length === 0 ? 'This text' : 'This message with its files';
  return `${what} has ${size}; a message takes at most one million. Put it into a file of the working folder, and ask for that.`;
}

/**
 * Why a message that reads like a command of the terminal is not sent; undefined for any other. A
 * path (`/usr/bin is …`) does not.
 *
 * @param templates names of templates, for `/NAME`
 */
export function commandProblem(text: string, templates: readonly string[]): string | undefined {
  const name = /^\/([a-z][a-z-]*)(?=\s|$)/u.exec(text)?.[1];
  if (name === undefined || templates.includes(name)) return undefined;
  return `There is no template /${name}. Commands are the terminal's: here, buttons do what they do. Put a space before it to send it as it is.`;
}
