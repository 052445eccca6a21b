import { RequestError } from '@agentclientprotocol/sdk';
import { BulkheadError, describeError } from '@bulkhead/protocol';

/** Codes of JSON-RPC and of the protocol. */
const INVALID_PARAMS = -32602;
const INTERNAL = -32603;
const NOT_FOUND = -32002;

const CODES: Readonly<Record<string, number>> = {
  usage: INVALID_PARAMS,
  invalid_arguments: INVALID_PARAMS,
  not_found: NOT_FOUND,
};

/** An error as an editor shows it: the problem and its remedy, with our own code. */
function acpError(cause: unknown): RequestError {
  if (cause instanceof RequestError) return cause;
  const error = BulkheadError.from(cause);
  const code = CODES[error.code] ?? INTERNAL;
  return new RequestError(code, describeError(error), { code: error.code, retryable: error.retryable });
}

/** Runs `work` and converts its errors to the protocol's. */
export async function told<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (cause) {
    throw acpError(cause);
  }
}
