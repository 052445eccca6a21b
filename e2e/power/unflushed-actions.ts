import { tokenOf } from '../crash/job.ts';
import { fieldsOf } from '../crash/stored-session.ts';
import type { Entry, ObjectId, Operation } from './operation.ts';
import type { PowerRecord } from './power-record.ts';

/**
 * Checks every moment in which a client learned that an action is done: all names that the action
 * gave or removed in the working folder must have been flushed by then, each by a flush of its own
 * folder or object, so that the check relies on no order of a file system.
 *
 * @returns one line for each name that was not
 */
export function unflushedActions({ operations, durability, told }: PowerRecord): readonly string[] {
  const work = workingFolder(operations);
  const namesOf = (operation: Operation) =>
    entriesOf(operation).flatMap((entry) => (entry?.folder === work ? [entry?.name ?? ''] : []));
  return told.flatMap((one) => {
    if (one.kind !== 'event' || one.event.type !== 'action_completed') return [];
    const { call, success } = fieldsOf(one.event);
    if (success !== true) return [];
    const later = operations.findIndex(({ ended }) => ended > one.at);
    const cut = later === -1 ? operations.length : later;
    const needed = durability.neededNames(cut);
    return operations.slice(0, cut).flatMap((operation, index) => {
      const isOwn =
        !needed.has(index) && namesOf(operation).some((name) => name.includes(tokenOf(String(call))));
      return isOwn
        ? [
            `a client was told that ${call} is done, and its ${operation.kind} of ${namesOf(operation).join(' and ')} was not flushed`,
          ]
        : [];
    });
  });
}

/** The working folder, as the disk begins with it. */
function workingFolder(operations: readonly Operation[]): ObjectId | undefined {
  const found = operations.find((operation) => operation.kind === 'make' && operation.at?.name === 'work');
  return found?.kind === 'make' ? found.object : undefined;
}

function entriesOf(operation: Operation): readonly (Entry | undefined)[] {
  switch (operation.kind) {
    case 'make':
    case 'link':
    case 'remove':
      return [operation.at];
    case 'rename':
      return [operation.from, operation.to];
    default:
      return [];
  }
}
