import { BulkheadError } from '@bulkhead/protocol';

/** A policy that can't be taken, in the words of `doctor` and `status`; its fix and code stay. */
export function notTakenOver(problem: BulkheadError): BulkheadError {
  const { code, message, fix } = problem;
  return new BulkheadError(code, `NOT TAKEN OVER: ${message}`, {
    cause: problem,
    ...(fix === undefined ? {} : { fix }),
  });
}
