import { BulkheadError } from '@bulkhead/protocol';

const DEFAULT_INITIAL_TOOLS_TIMEOUT_MS = 10_000;

export interface AgentArguments {
  readonly token: string;
  /** The engine's version of the wire. */
  readonly protocolVersion: number;
  /** How long to wait for InitialToolDefs, in milliseconds [P4]. */
  readonly initialToolsTimeoutMs: number;
}

/**
 * @param args what follows the program's name
 * @throws BulkheadError `usage`
 */
export function parseAgentArguments(args: readonly string[]): AgentArguments {
  let token = '';
  let protocolVersion = Number.NaN;
  let initialToolsTimeoutMs = DEFAULT_INITIAL_TOOLS_TIMEOUT_MS;
  for (let at = 0; at < args.length; at += 2) {
    const value = args[at + 1] ?? '';
    if (args[at] === '--token') token = value;
    else if (args[at] === '--protocol') protocolVersion = Number(value);
    else if (args[at] === '--initial-tools-timeout-ms') initialToolsTimeoutMs = Number(value);
    else throw usage(`unknown option ${args[at]}`);
  }
  if (token === '') throw usage('--token is missing');
  if (!Number.isInteger(protocolVersion)) throw usage('--protocol is missing or no number');
  if (!Number.isInteger(initialToolsTimeoutMs) || initialToolsTimeoutMs <= 0) {
    throw usage('--initial-tools-timeout-ms takes a whole number of milliseconds');
  }
  return { token, protocolVersion, initialToolsTimeoutMs };
}

function usage(what: string): BulkheadError {
  return new BulkheadError('usage', what, { fix: 'The engine starts agents; nobody else needs to' });
}
