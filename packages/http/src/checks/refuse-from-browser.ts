import { isMessage, type Message } from '@bufbuild/protobuf';
import { SendMessageRequestSchema } from '@bulkhead/protocol/client';
import { refusal } from '../answer.ts';
import type { Proof } from './proof.ts';

/**
 * What the owner's page can not ask, though the owner's token can: a script that got into it must not lead the key of a model to an address of
 * its own. Where keys go is set up with a key that is typed.
 *
 * @throws BulkheadError `blocked` (403)
 */
export function refuseFromBrowser({ kind }: Proof, input: Message): void {
  if (kind !== 'login' || !isMessage(input, SendMessageRequestSchema)) return;
  if ((input.options?.baseUrl ?? '') === '') return;
  throw refusal(403, 'blocked', 'a browser does not choose the address of a model', {
    fix: 'Set the model up with that address (Settings), or send the message with your token.',
  });
}
