import { existsSync } from 'node:fs';
import { connectEngine } from '@bulkhead/client';
import { actionIds, type ListedEntry, listEntries, sessionIds } from '@bulkhead/engine/offline/audit';
import { matchId } from '@bulkhead/protocol';
import type { ParsedArguments } from '../arguments/parse-arguments.ts';
import { verbUsageError } from '../arguments/verb-table.ts';
import { EXIT } from '../exit-code.ts';
import { homeOf } from '../home.ts';
import type { Output } from '../output/output.ts';
import { callOf, describeCalls } from './audit-calls.ts';
import type { AuditCall, AuditVerb } from './audit-verb.ts';

const LIMIT = 50;

/** `audit list` */
export const listAudit: AuditVerb = async (call) => {
  const { folder, args, stdout, signal } = call;
  const since = sinceOf(args);
  const action = await wholeOf(args.value('action'), 'actions', () => actionIds(folder, signal));
  const session = await wholeOf(args.value('session'), 'sessions', () => sessionIds(folder, signal));
  const filter = {
    ...(action !== undefined && { action }),
    ...(session !== undefined && { session }),
    ...(since !== undefined && { since }),
  };
  const limit = limitOf(args);
  const entries = existsSync(folder) ? await listEntries(folder, filter, limit, signal) : [];
  if (args.flag('json')) for (const { line } of entries) stdout.own(`${line}\n`);
  else if (entries.length === 0) stdout.line('no entries');
  else await showEntries(entries, call);
  return EXIT.completed;
};

async function showEntries(entries: readonly ListedEntry[], call: AuditCall): Promise<void> {
  const calls = await describe(entries, call);
  for (const entry of entries) showEntry(entry, calls.get(callOf(entry)) ?? '', call.stdout);
}

function showEntry(entry: ListedEntry, call: string, stdout: Output): void {
  const { n, time, step, tool, action, details } = entry;
  const { bold, dim } = stdout.palette;
  const about = [tool, action].filter((text) => text !== '').join(' ');
  const facts = JSON.stringify(details);
  stdout.line(
    `${String(n).padStart(6)}  ${dim(stdout.safeLine(time))}  ${bold(stdout.safeLine(step))}  ${stdout.safeLine(about)}`,
  );
  if (call !== '') stdout.line(`        ${stdout.safeLine(call)}`);
  if (facts !== '{}') stdout.line(`        ${dim(stdout.safeLine(facts))}`);
}

/** The list works without an engine. */
async function describe(
  entries: readonly ListedEntry[],
  { environment, signal }: AuditCall,
): Promise<ReadonlyMap<string, string>> {
  try {
    using client = await connectEngine(homeOf(environment));
    return await describeCalls(client, entries, signal);
  } catch (cause) {
    if (signal.aborted) throw cause;
    return new Map();
  }
}

/** An unknown id is kept: no entry matches it. */
async function wholeOf(
  given: string | undefined,
  many: string,
  ids: () => Promise<ReadonlySet<string>>,
): Promise<string | undefined> {
  return given === undefined ? undefined : (matchId(given, await ids(), many) ?? given);
}

function limitOf(args: ParsedArguments): number {
  const value = args.value('limit');
  if (value === undefined) return LIMIT;
  if (/^[1-9]\d{0,5}$/.test(value)) return Number(value);
  throw verbUsageError('audit', `--limit is a number from 1 to 999999, not "${value}"`);
}

function sinceOf(args: ParsedArguments): number | undefined {
  const value = args.value('since');
  if (value === undefined) return undefined;
  const time = /^\d{4}-\d{2}-\d{2}(T[\d:.]+(Z|[+-]\d{2}:\d{2})?)?$/.test(value)
    ? Date.parse(value)
    : Number.NaN;
  if (Number.isNaN(time))
    throw verbUsageError('audit', `--since is a time like 2026-01-31T12:00Z, not "${value}"`);
  return time;
}
