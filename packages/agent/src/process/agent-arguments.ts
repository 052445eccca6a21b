import { BulkheadError } from '@bulkhead/protocol';
import { type ProbeAims, parseAims } from '@bulkhead/wire/self-probe';

const DEFAULT_INITIAL_TOOLS_TIMEOUT_MS = 10_000;

export interface AgentArguments {
  readonly token: string;
  /** The engine's version of the wire. */
  readonly protocolVersion: number;
  /** How long to wait for InitialToolDefs, in milliseconds [P4]. */
  readonly initialToolsTimeoutMs: number;
  /** Attacks to try on its own box first. Absent: the engine requested none. */
  readonly probe?: ProbeAims;
}

const OPTIONS = ['--token', '--protocol', '--initial-tools-timeout-ms', '--probe'];

/**
 * @param args the arguments after the program's name
 * @throws BulkheadError `usage`
 */
export function parseAgentArguments(args: readonly string[]): AgentArguments {
  const given = new Map<string, string>();
  for (let at = 0; at < args.length; at += 2) {
    const name = args[at] ?? '';
    if (!OPTIONS.includes(name)) throw usage(`unknown option ${name}`);
    given.set(name, args[at + 1] ?? '');
  }
  const token = given.get('--token') ?? '';
  const protocolVersion = Number(given.get('--protocol') ?? Number.NaN);
  const initialToolsTimeoutMs = Number(
    given.get('--initial-tools-timeout-ms') ?? DEFAULT_INITIAL_TOOLS_TIMEOUT_MS,
  );
  if (token === '') throw usage('--token is missing');
  if (!Number.isInteger(protocolVersion)) throw usage('--protocol is missing or no number');
  if (!Number.isInteger(initialToolsTimeoutMs) || initialToolsTimeoutMs <= 0) {
    throw usage('--initial-tools-timeout-ms takes a whole number of milliseconds');
  }
  const aims = given.get('--probe');
  return {
    token,
    protocolVersion,
    initialToolsTimeoutMs,
    ...(aims === undefined ? {} : { probe: aimsOf(aims) }),
  };
}

function aimsOf(text: string): ProbeAims {
  const aims = parseAims(text);
  if (aims === undefined) throw usage('--probe takes aims');
  return aims;
}

function usage(what: string): BulkheadError {
  return new BulkheadError('usage', what, { fix: 'Only the engine starts agents' });
}
