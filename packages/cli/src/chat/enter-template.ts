import { expandEntry } from '@bulkhead/client';
import { firstLine } from '@bulkhead/protocol/transcript';
import type { ChatInput } from './chat-input.ts';
import type { ChatSeat } from './commands/chat-command.ts';

/**
 * Sends what a template makes of an entry, and says which text that is; where there is no such template, what was
 * entered is an unknown command.
 *
 * @throws BulkheadError `usage` for arguments that are missing; what the engine says against the message
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
