import { Delivery } from '@bulkhead/protocol/client';
import type { MessageDelivery } from './commands/chat-command.ts';

/**
 * The delivery mode of an entry. All lines of a pipe were written before the first answer, so each
 * gets its own answer.
 *
 * @param person true if a person types
 */
export function deliveryOf(wanted: MessageDelivery, person: boolean): Delivery {
  if (wanted === 'now') return Delivery.INTERRUPT;
  return wanted === 'steer' && person ? Delivery.STEER : Delivery.UNSPECIFIED;
}
