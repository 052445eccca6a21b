import { parseArgs } from 'node:util';
import { BulkheadError } from '@bulkhead/protocol';
import { type ProbeAims, parseAims } from '@bulkhead/wire/self-probe';
import type { Grant, GrantRoot } from '../files/grant.ts';

/** A worker's command line options. */
export interface WorkerOptions {
  /** Shown to the engine, which recognizes this worker by it. */
  readonly token: string;
  /** The engine's version of the wire. */
  readonly protocolVersion: number;
  /** Absolute path of the ripgrep binary. */
  readonly ripgrep: string;
  readonly grant: Grant;
  /** Attacks to try on its own box first. Absent: the engine requested none. */
  readonly probe?: ProbeAims;
}

/**
 * `--token T --protocol N --rg PATH --root rw:PATH [--root ro:PATH …] [--root no:PATH …] [--probe AIMS]`
 * @throws BulkheadError `usage`
 */
export function parseWorkerOptions(args: readonly string[]): WorkerOptions {
  const { token, protocol, rg, root, probe } = parse(args);
  if (token === undefined || rg === undefined || root === undefined) {
    throw new BulkheadError('usage', 'a worker needs --token, --rg and at least one --root');
  }
  const protocolVersion = Number(protocol);
  if (!Number.isInteger(protocolVersion)) {
    throw new BulkheadError('usage', '--protocol is missing or no number');
  }
  const aims = probe === undefined ? undefined : parseAims(probe);
  if (probe !== undefined && aims === undefined) throw new BulkheadError('usage', '--probe takes aims');
  const grant = { roots: root.map(parseRoot) };
  return { token, protocolVersion, ripgrep: rg, grant, ...(aims === undefined ? {} : { probe: aims }) };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        token: { type: 'string' },
        protocol: { type: 'string' },
        rg: { type: 'string' },
        probe: { type: 'string' },
        root: { type: 'string', multiple: true },
      },
    }).values;
  } catch (error) {
    throw new BulkheadError('usage', error instanceof Error ? error.message : String(error), {
      cause: error,
    });
  }
}

function parseRoot(text: string): GrantRoot {
  const access = text.slice(0, 2);
  if ((access !== 'rw' && access !== 'ro' && access !== 'no') || text[2] !== ':') {
    throw new BulkheadError('usage', `--root must be rw:PATH, ro:PATH or no:PATH, not ${text}`);
  }
  return { access, path: text.slice(3) };
}
