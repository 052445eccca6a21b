import type { EngineClient } from '@bulkhead/client';
import { BulkheadError } from '@bulkhead/protocol';
import type { UsageRow } from '@bulkhead/protocol/client';
import { enumerate } from '../arguments/enumerate.ts';
import { JSON_OPTION } from '../arguments/option-table.ts';
import type { ParsedArguments } from '../arguments/parse-arguments.ts';
import type { Command } from '../command.ts';
import { findSession, noSession } from '../conversation/find-session.ts';
import type { Environment } from '../environment.ts';
import { EXIT } from '../exit-code.ts';
import { homeOf } from '../home.ts';
import { openEngine } from '../open-engine.ts';
import { Output } from '../output/output.ts';
import { usagePeriod } from '../usage/usage-period.ts';
import {
  costText,
  groupUsage,
  number,
  sumUsage,
  USAGE_KEYS,
  type UsageKey,
  type UsageTotal,
} from '../usage/usage-total.ts';

export const usageCommand: Command = {
  usage: '[--from DAY] [--to DAY] [--session ID] [--by day|session|purpose|model] [--json]',
  about: 'Shows the tokens and cost of model calls, failed calls included.',
  details: [
    'Days are those of UTC, both ends included. "in" counts cached tokens too. A call whose price is not known',
    'is never counted as free; it is shown as "unknown price".',
  ],
  options: {
    ...JSON_OPTION,
    from: { about: 'the first day, as in 2026-01-31', value: 'DAY' },
    to: { about: 'the last day', value: 'DAY' },
    session: { about: 'only this session', value: 'ID' },
    by: {
      about: 'a line for each day, session, purpose or model (day)',
      value: 'KEY',
      choices: ['day', 'session', 'purpose', 'model'],
    },
  },
  run,
};

async function run(args: ParsedArguments, environment: Environment): Promise<number> {
  const period = usagePeriod(args.value('from'), args.value('to'));
  const key = keyOf(args.value('by'));
  const { signal } = new AbortController();
  const { link } = await openEngine(homeOf(environment), environment, { signal });
  using _link = link;
  const rows = await link.once((client) => rowsOf(client, period, args.value('session')));
  const stdout = new Output(environment.stdout, environment.env);
  if (args.flag('json')) stdout.own(`${JSON.stringify(asJson(rows, key))}\n`);
  else for (const line of table(rows, key, stdout)) stdout.line(line);
  return EXIT.completed;
}

/**
 * @throws BulkheadError `not_found` for an unknown session; the costs of a deleted one may still
 * exist
 */
async function rowsOf(
  client: EngineClient,
  period: { readonly from: string; readonly to: string },
  session: string | undefined,
): Promise<readonly UsageRow[]> {
  if (session === undefined) return (await client.call('readUsage', period)).rows;
  const known = await findSession(client, session);
  const { rows } = await client.call('readUsage', { ...period, sessionId: known?.sessionId ?? session });
  if (known === undefined && rows.length === 0) throw noSession(session);
  return rows;
}

function keyOf(value = 'day'): UsageKey {
  const key = USAGE_KEYS.find((known) => known === value);
  if (key !== undefined) return key;
  throw new BulkheadError('usage', `--by is ${enumerate(USAGE_KEYS, 'or')}, not "${value}"`, {
    fix: 'See `bulkhead usage --help`.',
  });
}

function asJson(rows: readonly UsageRow[], by: UsageKey) {
  const groups = groupUsage(rows, by).map(([value, total]) => ({ [by]: value, ...total }));
  return { by, rows: groups, total: sumUsage(rows) };
}

function table(rows: readonly UsageRow[], key: UsageKey, stdout: Output): string[] {
  if (rows.length === 0) return ['no model calls'];
  const groups = groupUsage(rows, key).map(([value, total]) => cells(stdout.safeLine(value), total));
  const head = [key, 'calls', 'failed', 'in', 'cached', 'out', 'cost'];
  const lines = [head, ...groups, ...(groups.length > 1 ? [cells('total', sumUsage(rows))] : [])];
  const widths = head.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  return lines.map((line, index) => {
    const text = line.map((cell, column) => aligned(cell, column, widths[column] ?? 0)).join('  ');
    return index === 0 ? stdout.palette.dim(text) : text;
  });
}

function cells(name: string, total: UsageTotal): string[] {
  const { calls, failed, inputTokens, cachedInputTokens, outputTokens } = total;
  const numbers = [calls, failed, inputTokens, cachedInputTokens, outputTokens].map(number);
  return [name, ...numbers, costText(total)];
}

/** Names and money are aligned left, numbers right. */
function aligned(cell: string, column: number, width: number): string {
  if (column === 0) return cell.padEnd(width);
  return column <= 5 ? cell.padStart(width) : cell;
}
