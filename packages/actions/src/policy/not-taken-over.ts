import { BulkheadError } from '@bulkhead/protocol';

/** The error of a rejected policy, as `doctor` and `status` show it; fix and code stay the same. */
export function notTakenOver(problem: BulkheadError): BulkheadError {
  const { code, message, fix } = problem;
  return new BulkheadError(code, `NOT TAKEN OVER: ${message}`, {
    cause: problem,
    ...(fix === undefined ? {} : { fix }),
  });
}
