import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileWitness, type HttpExchange, httpWitness, type Witnessing } from '@bulkhead/audit';
import type { Config } from '@bulkhead/home/config/config-schema';
import type { Home } from '@bulkhead/home/create-home';
import type { ConfirmedTime } from '@bulkhead/home/time/confirmed-time';
import type { CallerBook } from '@bulkhead/http';
import {
  BulkheadError,
  type Clock,
  createIdSource,
  describeError,
  type HomeLayout,
  type Timers,
} from '@bulkhead/protocol';
import type { SessionStore, Tables } from '@bulkhead/sessions';
import type { Logger } from 'pino';
import { type Logs, openLogs } from './agreement/open-logs.ts';
import { createCallerTables, type ProgramSessions } from './callers/caller-tables.ts';
import type { Context } from './context.ts';
import { createDayTotals, type DayTotals } from './ledger/day-totals.ts';
import { Ledger, type SpendCaps } from './ledger/ledger.ts';
import type { KnownSecrets } from './redaction/known-secrets.ts';
import { redactingAudit } from './redaction/redacting-audit.ts';
import { SessionLog } from './session/session-log.ts';

/** Far more than a checkpoint needs, bytes. */
const MAX_WITNESS_BYTES = 64 * 1024;

/** The log of an engine: sessions, usage and callers, and the context that every room above is given. */
export interface LogRoom {
  readonly context: Context;
  readonly ledger: Ledger;
  /** The counts of daily limits. */
  readonly days: DayTotals;
}

/** The same, as it is opened from a home. */
export interface OpenedLog extends LogRoom {
  readonly logs: Logs;
  readonly callers: Callers;
}

/** Joins a store and an audit log, wherever they are kept. Opens nothing. */
export function createLog(
  { store, ...seams }: Omit<Context, 'log'> & { readonly store: SessionStore },
  config: {
    readonly time: Pick<ConfirmedTime, 'believed'>;
    readonly days: DayTotals;
    readonly caps: SpendCaps;
  },
): LogRoom {
  const { clock, ids, redaction } = seams;
  const context = { ...seams, log: new SessionLog({ store, clock, ids, redaction }) };
  return { context, ledger: new Ledger({ ...config, store }), days: config.days };
}

/**
 * Opens and compares the session database and the audit log of a home.
 *
 * @param config.mustExist a database that is missing is not made anew
 * @param config.request reaches witnesses of the audit log
 * @param stack closes them
 * @throws BulkheadError `audit_failed`, `store_failed`, `store_corrupt`, `not_available`
 */
export async function openLog(
  seams: { readonly clock: Clock; readonly timers: Timers },
  config: {
    readonly home: Home;
    readonly secrets: KnownSecrets;
    readonly settings: Pick<Config, 'audit' | 'spend' | 'server'>;
    readonly mustExist: boolean;
    readonly request: typeof fetch;
  },
  stack: AsyncDisposableStack,
): Promise<OpenedLog> {
  const { clock } = seams;
  const { home, secrets, settings, mustExist, request } = config;
  const { layout, original, storage, time, logger } = home;
  const areCopies = original !== layout;
  // Entries for a copy of the log must not reach a witness.
  const witnessing = areCopies ? {} : openWitnesses(settings.audit, request, logger);
  const beforeDurable = (): void => storage.refuseGone();
  const opening = { layout, clock, witnessing, logger, mustExist, areCopies, beforeDurable };
  const logs = await openLogs(opening, stack);
  home.opened.add([original.database, original.audit]);
  // Closed before the logs are: it must not start the engine again while they close.
  stack.use(storage);
  const { store, tables } = logs;
  const days = createDayTotals(tables);
  const audit = redactingAudit(logs.audit, secrets);
  const ids = createIdSource(() => clock.now());
  const parts = { ...seams, ids, store, audit, redaction: secrets, logger, storage };
  const { perDay, perSession } = settings.spend;
  const callers = openCallers(layout, settings.server.workingFolder, logs, time);
  return { ...createLog(parts, { time, days, caps: { perDay, perSession } }), logs, callers };
}

/** @returns nothing if the user named no witness */
function openWitnesses(
  { witnesses, onWitnessProblem, witnessTimeoutSeconds }: Config['audit'],
  request: typeof fetch,
  logger: Pick<Logger, 'warn'>,
): { readonly witnessing?: Witnessing } {
  const exchange = boundedExchange(request);
  const opened = witnesses.flatMap(({ file, url }) => {
    if (file !== undefined) return fileWitness(file);
    return url === undefined ? [] : httpWitness(url, exchange);
  });
  if (opened.length === 0) return {};
  return {
    witnessing: {
      witnesses: opened,
      onProblem: onWitnessProblem,
      timeoutMs: witnessTimeoutSeconds * 1_000,
      warn: (message) => logger.warn(`audit witness: ${message}`),
    },
  };
}

function boundedExchange(request: typeof fetch): HttpExchange {
  return async ({ method, url, body }, signal) => {
    const headers = { 'content-type': 'text/plain; charset=utf-8' };
    const init = { method, redirect: 'error' as const, signal };
    const response = await request(url, body === undefined ? init : { ...init, headers, body });
    const chunks: Uint8Array[] = [];
    let size = 0;
    for await (const chunk of response.body ?? []) {
      size += chunk.byteLength;
      if (size > MAX_WITNESS_BYTES) throw new RangeError('its answer is too long');
      chunks.push(chunk);
    }
    return { status: response.status, body: Buffer.concat(chunks).toString('utf8') };
  };
}

/** The records of calling programs, and the owner of each session. */
type Callers = CallerBook & ProgramSessions;

/**
 * The records of programs that use OpenAI's API. Each works in a folder of its own beside the home,
 * unless the owner names one for all.
 *
 * @param folder as configured
 * @param kept.store knows the origin of a fork
 */
function openCallers(
  { root }: Pick<HomeLayout, 'root'>,
  folder: string | undefined,
  kept: { readonly tables: Tables; readonly store: Pick<SessionStore, 'getSession'> },
  time: Pick<ConfirmedTime, 'confirmed'>,
): Callers {
  return {
    ...createCallerTables(kept.tables, time, (id) => kept.store.getSession(id)?.origin?.session),
    folderOf: ({ name }) => folder ?? ownFolder(join(`${root}-work`, name)),
  };
}

/** @param path of plain names below a folder of the user's own */
function ownFolder(path: string): string {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
    return path;
  } catch (cause) {
    throw new BulkheadError('not_available', `the folder ${path} can't be made: ${describeError(cause)}`, {
      cause,
      fix: 'Name another one for all programs with server.workingFolder in config.yaml.',
    });
  }
}
