import { checkClientTools } from '@bulkhead/actions/client-tools/check-client-tools';
import type { AcceptedInput } from '@bulkhead/log/session/accepted-input';
import { messageBytes } from '@bulkhead/log/session/message-view';
import { BulkheadError } from '@bulkhead/protocol';
import type { Attachment, Message } from '@bulkhead/protocol/chat';

/** Longest message of a person, in characters. */
const MAX_CHARACTERS = 1_000_000;
const MAX_IMAGES = 20;
const MAX_ATTACHMENTS = 20;
/** Longest name of a file, in characters. */
const MAX_NAME = 255;
/** Of one image; providers refuse more than 5 to 20 MB. */
const MAX_IMAGE_BYTES = 5 * 1024 * 1024;
/** Messages that were said before, and bytes of them together. */
const MAX_HISTORY = 2_000;
const MAX_HISTORY_BYTES = 24 * 1024 * 1024;
const IMAGE_TYPES: readonly string[] = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'];

/** @throws BulkheadError `usage` for a message that is empty, too large, holds what is no image, or brings tools that can't be offered */
export function checkInput({ messageId, content, images, attachments = [], options }: AcceptedInput): void {
  checkClientTools(options.clientTools ?? []);
  if (messageId === '' || messageId.length > 256 || !messageId.isWellFormed()) {
    throw new BulkheadError('usage', 'a message needs an id of 1 to 256 characters');
  }
  if (content.trim() === '' && images.length === 0 && attachments.length === 0) {
    throw new BulkheadError('usage', 'the message is empty', { fix: 'Write something, or send an image.' });
  }
  if (content.length > MAX_CHARACTERS) {
    throw new BulkheadError('usage', `the message is longer than ${MAX_CHARACTERS} characters`, {
      fix: 'Put it in a file of the working folder, and ask to read that.',
    });
  }
  checkImages(images);
  checkAttachments(attachments, content.length);
}

/** @throws BulkheadError `usage` for a history that is longer than a session can sensibly begin with, or holds what is no image */
export function checkHistory(history: readonly Message[]): void {
  const bytes = history.reduce((sum, message) => sum + messageBytes(message), 0);
  if (history.length > MAX_HISTORY || bytes > MAX_HISTORY_BYTES) {
    throw new BulkheadError(
      'usage',
      `the history has more than ${MAX_HISTORY} messages, or ${MAX_HISTORY_BYTES} bytes`,
      {
        fix: 'Send its last part, or continue in a separate session.',
      },
    );
  }
  for (const { role } of history) if (role.case === 'user') checkImages(role.value.images);
}

/** @param said characters of the message they go with */
function checkAttachments(attachments: readonly Attachment[], said: number): void {
  if (attachments.length > MAX_ATTACHMENTS) {
    throw new BulkheadError('usage', `the message has more than ${MAX_ATTACHMENTS} files`);
  }
  const characters = attachments.reduce((sum, { text }) => sum + text.length, said);
  if (characters > MAX_CHARACTERS) {
    throw new BulkheadError(
      'usage',
      `the message is longer than ${MAX_CHARACTERS} characters with its files`,
      {
        fix: 'Put them into the working folder, and name them in the message.',
      },
    );
  }
  for (const { name } of attachments) {
    if (name.trim() === '' || name.length > MAX_NAME || /[\p{Cc}\p{Zl}\p{Zp}]/u.test(name)) {
      throw new BulkheadError('usage', `a file needs a name of 1 to ${MAX_NAME} characters, in one line`);
    }
  }
}

function checkImages(images: AcceptedInput['images']): void {
  if (images.length > MAX_IMAGES) {
    throw new BulkheadError('usage', `the message has more than ${MAX_IMAGES} images`, {
      fix: 'Send the others with the next message.',
    });
  }
  for (const { mediaType, data } of images) {
    if (!IMAGE_TYPES.includes(mediaType)) {
      throw new BulkheadError('usage', `${JSON.stringify(mediaType)} is no type of image that models take`, {
        fix: `Use ${IMAGE_TYPES.join(', ')}.`,
      });
    }
    if (data.byteLength === 0 || data.byteLength > MAX_IMAGE_BYTES) {
      throw new BulkheadError('usage', `an image must have 1 to ${MAX_IMAGE_BYTES} bytes`, {
        fix: 'Make it smaller.',
      });
    }
  }
}
