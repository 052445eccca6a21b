import { existsSync } from 'node:fs';
import { type ListedEntry, listEntries } from '@bulkhead/engine/client/audit';
import type { ParsedArguments } from '../arguments/parse-arguments.ts';
import { EXIT } from '../exit-code.ts';
import type { Output } from '../output/output.ts';
import { type AuditVerb, auditUsage } from './audit-verb.ts';

const LIMIT = 50;

/** `audit list` */
export const listAudit: AuditVerb = async ({ folder, args, stdout, signal }) => {
  const [action, session, since] = [args.value('action'), args.value('session'), sinceOf(args)];
  const filter = {
    ...(action !== undefined && { action }),
    ...(session !== undefined && { session }),
    ...(since !== undefined && { since }),
  };
  const limit = limitOf(args);
  const entries = existsSync(folder) ? await listEntries(folder, filter, limit, signal) : [];
  if (args.flag('json')) for (const { line } of entries) stdout.own(`${line}\n`);
  else if (entries.length === 0) stdout.line('no entries');
  else for (const entry of entries) showEntry(entry, stdout);
  return EXIT.completed;
};

function showEntry({ n, time, step, tool, action, details }: ListedEntry, stdout: Output): void {
  const { bold, dim } = stdout.palette;
  const about = [tool, action].filter((text) => text !== '').join(' ');
  const facts = JSON.stringify(details);
  stdout.line(
    `${String(n).padStart(6)}  ${dim(stdout.safeLine(time))}  ${bold(stdout.safeLine(step))}  ${stdout.safeLine(about)}`,
  );
  if (facts !== '{}') stdout.line(`        ${dim(stdout.safeLine(facts))}`);
}

function limitOf(args: ParsedArguments): number {
  const value = args.value('limit');
  if (value === undefined) return LIMIT;
  if (/^[1-9]\d{0,5}$/.test(value)) return Number(value);
  throw auditUsage(`--limit is a number from 1 to 999999, not "${value}"`);
}

function sinceOf(args: ParsedArguments): number | undefined {
  const value = args.value('since');
  if (value === undefined) return undefined;
  const time = /^\d{4}-\d{2}-\d{2}(T[\d:.]+(Z|[+-]\d{2}:\d{2})?)?$/.test(value)
    ? Date.parse(value)
    : Number.NaN;
  if (Number.isNaN(time)) throw auditUsage(`--since is a time like 2026-01-31T12:00Z, not "${value}"`);
  return time;
}
