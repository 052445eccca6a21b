import { Delivery } from '@bulkhead/protocol/client';
import type { MessageDelivery } from './commands/chat-command.ts';

/**
 * How the engine is to deliver what was entered. Lines of a pipe were all meant before the first answer: each gets one
 * of its own.
 *
 * @param person true if somebody types
 */
export function deliveryOf(wanted: MessageDelivery, person: boolean): Delivery {
  if (wanted === 'now') return Delivery.INTERRUPT;
  return wanted === 'steer' && person ? Delivery.STEER : Delivery.UNSPECIFIED;
}
