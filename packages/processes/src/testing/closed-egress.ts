import { BulkheadError } from '@bulkhead/protocol';
import { egressIn, type OpenEgress } from '../boxes/open-egress.ts';

/** The way out of a command whose user allows no host. @param run an existing folder */
export function closedEgress(run: string): OpenEgress {
  return egressIn(run, {
    objectionTo: () => new BulkheadError('blocked', 'no host is allowed here'),
    connect: () => Promise.reject(new Error('nothing may be connected to')),
  });
}
