import { expandEntry } from '@bulkhead/client';
import { firstLine } from '@bulkhead/protocol/transcript';
import type { ChatInput } from './chat-input.ts';
import type { ChatSeat } from './commands/chat-command.ts';

/**
 * Sends the expanded template of an entry and shows which text was sent; without such a template
 * the entry is an unknown command.
 *
 * @throws BulkheadError `usage` for missing arguments; the engine's error if it refuses the message
 */
export async function enterTemplate(
  { entry, otherwise }: Extract<ChatInput, { readonly kind: 'template' }>,
  { link, folder, output, signal, send }: Pick<ChatSeat, 'link' | 'folder' | 'output' | 'signal' | 'send'>,
): Promise<void> {
  const text = await link.repeat((client) => expandEntry(client, folder, entry), signal);
  if (text === undefined) return output.line(output.safeLine(otherwise));
  output.line(output.palette.dim(`(sent: ${output.safeLine(firstLine(text))})`));
  await send(text, 'steer');
}
