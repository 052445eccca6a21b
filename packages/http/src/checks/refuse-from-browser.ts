import { isMessage, type Message } from '@bufbuild/protobuf';
import { SendMessageRequestSchema } from '@bulkhead/protocol/client';
import { refusal } from '../answer.ts';
import type { Proof } from './proof.ts';

/**
 * Refuses calls that the owner's token may make but the owner's page may not: a script injected
 * into the page must not send a model's key to its own address. An address for keys is set up with
 * a key that the owner types.
 *
 * @throws BulkheadError `blocked` (403)
 */
export function refuseFromBrowser({ kind }: Proof, input: Message): void {
  if (kind !== 'login' || !isMessage(input, SendMessageRequestSchema)) return;
  if ((input.options?.baseUrl ?? '') === '') return;
  throw refusal(403, 'blocked', 'a browser may not choose the address of a model', {
    fix: 'Set the model up with that address (Settings), or send the message with your token.',
  });
}
