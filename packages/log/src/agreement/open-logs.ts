import { existsSync } from 'node:fs';
import { type AuditLog, type AuditSink, openAuditLog, type Witnessing } from '@bulkhead/audit';
import { type Clock, type HomeLayout, systemTimers } from '@bulkhead/protocol';
import {
  createMemorySessionStore,
  createSplitSessionStore,
  createSqliteSessionStore,
  type LogAgreement,
  type SessionStore,
  type Tables,
} from '@bulkhead/sessions';
import type { Logger } from 'pino';
import { checkLogs, type LogCheck, markText } from './check-logs.ts';
import { keepBeforeWriting } from './keep-before-writing.ts';
import { loggedAudit } from './logged-audit.ts';
import { describeLoss, lossText } from './loss.ts';
import { LossService } from './loss-service.ts';
import { type AuditedFate, OpenActions } from './open-actions.ts';

/** The audit log and the session logs of an engine, compared. */
export interface Logs {
  readonly store: SessionStore;
  /** For what is kept beside the sessions, in the same file. */
  readonly tables: Tables;
  readonly auditLog: AuditLog;
  /** Its entries carry the positions of their sessions' logs. */
  readonly audit: AuditSink;
  /** Actions without a recorded end. */
  readonly open: ReadonlySet<string>;
  /** Their states in the audit log; without those that the compared entries do not mention. */
  readonly audited: ReadonlyMap<string, AuditedFate>;
  /** Results of the comparison for a person. */
  notices(): readonly string[];
  /** Lets a person decide. @param takeUp goes on with the open messages of a session */
  losses(takeUp: (sessionId: string) => void): LossService;
  /** Notes that both logs agree up to here. Everything written before is on the disk when it resolves. */
  agree(): Promise<void>;
  /** The same at an orderly end. Never rejects: without it, the next start compares more. */
  agreeAtEnd(): Promise<void>;
}

/**
 * Opens both and compares them, before anything is taken up. A session whose log lost records that the audit log names is read-only from
 * here on.
 *
 * @param stack closes them
 * @throws BulkheadError `audit_failed`, `store_failed`, `store_corrupt`, `not_available`
 */
export async function openLogs(
  parts: {
    readonly layout: HomeLayout;
    readonly clock: Clock;
    readonly witnessing: { readonly witnessing?: Witnessing };
    readonly logger: Logger;
    /** True: a database that is missing is not made anew. */
    readonly mustExist: boolean;
    /** True: these are copies of a home that can't be written, and the home itself is left as it is. */
    readonly areCopies: boolean;
    /** Called before each durable change; what it throws refuses the change. */
    readonly beforeDurable: () => void;
  },
  stack: AsyncDisposableStack,
): Promise<Logs> {
  const { layout, clock, witnessing, logger, mustExist, areCopies, beforeDurable } = parts;
  const isNew = !existsSync(layout.database);
  const kept = areCopies ? [] : await keepBeforeWriting(layout, clock);
  const disk = createSqliteSessionStore(layout.database, { mustExist, beforeDurable });
  // Off the record, a store that ends with the process: no code path leads it to a disk [S5].
  const store = createSplitSessionStore(disk, createMemorySessionStore());
  stack.defer(() => store.close());
  const auditLog = await openAuditLog(layout.audit, { clock, timers: systemTimers, ...witnessing });
  stack.defer(() => auditLog.close());
  const { agreement, tables } = disk;
  const before = auditLog.head.n;
  const open = openActions(store);
  const check = await checkLogs(layout.audit, agreement, (action) => open.has(action));
  const { losses, entries, problems } = check;
  for (const [id, loss] of losses) logger.error({ loss: describeLoss(id, loss) }, 'a session lost records');
  if (losses.size > 0) agreement.noteLosses(new Map([...losses].map(([id, loss]) => [id, lossText(loss)])));
  const remade = `the session database ${layout.database} was missing and was created again, and the audit log has ${before} entries: sessions and labels are gone, and every line of memory counts as yours`;
  const notices = [...problems, ...(isNew && before > 0 ? [remade] : []), ...kept];
  for (const notice of notices) logger.error({ notice }, 'the logs do not agree');
  const logged = loggedAudit(auditLog, agreement);
  const marks = new LogMarks(logged, agreement);
  const failed = (error: unknown): void => logger.warn({ err: error }, 'the logs could not be marked');
  const found = {
    entries,
    losses: losses.size,
    ...(notices[0] === undefined ? {} : { problem: notices[0] }),
  };
  const service = (takeUp: (sessionId: string) => void): LossService =>
    new LossService({ audit: logged, store: agreement, clock, takeUp });
  return {
    store,
    tables,
    auditLog,
    audit: marks.counting(failed),
    open: new Set(open.keys()),
    audited: auditedFates(open, check),
    notices: () => [...notices, ...service(() => {}).notices],
    losses: service,
    agree: () => marks.set(found),
    agreeAtEnd: () => marks.set({}).catch(failed),
  };
}

function auditedFates(
  open: ReadonlyMap<string, OpenPlace>,
  { steps, begun, covers }: LogCheck,
): ReadonlyMap<string, AuditedFate> {
  const fates = [...open].flatMap(([action, { sessionId, intentPos }]): readonly [string, AuditedFate][] => {
    const step = steps.get(action) ?? (begun.has(action) ? 'started' : undefined);
    if (step !== undefined) return [[action, step]];
    const isTold = intentPos !== undefined && covers(sessionId, intentPos);
    return isTold ? [[action, 'not_started']] : [];
  });
  return new Map(fates);
}

/** Where an open action lies. */
interface OpenPlace {
  readonly sessionId: string;
  /** Of its intent; absent without one. */
  readonly intentPos?: number;
}

/** Actions without an end, of the messages that have none: recovery finds out what became of them. */
function openActions(store: Pick<SessionStore, 'openInputs' | 'records'>): ReadonlyMap<string, OpenPlace> {
  const places = new Map<string, OpenPlace>();
  for (const { sessionId, pos } of store.openInputs()) {
    const actions = new OpenActions();
    try {
      for (const record of store.records(sessionId, { pos })) actions.read(record);
    } catch {
      // A damaged session is not resumed: no one will ask about its actions.
    }
    for (const { action, intent } of actions.open)
      places.set(action, { sessionId, ...(intent === undefined ? {} : { intentPos: intent.pos }) });
  }
  return places;
}

/** Audit entries after which a new mark is set, so that a start after a crash has few to compare: a moment's reading. */
const ENTRIES_BETWEEN_MARKS = 20_000;

/**
 * Notes up to where audit log and session logs agree. The mark lies in the database behind everything that the entries before it name: whatever
 * takes those records from the file takes the mark, too, and the next start compares them.
 */
class LogMarks {
  readonly #audit: AuditSink;
  readonly #store: Pick<LogAgreement, 'setMark' | 'checkpoint' | 'positions'>;
  #since = 0;

  constructor(audit: AuditSink, store: Pick<LogAgreement, 'setMark' | 'checkpoint' | 'positions'>) {
    this.#audit = audit;
    this.#store = store;
  }

  /**
   * The same audit log; counts its entries, and sets a mark from time to time.
   * @param failed hears of a mark that could not be set: the next start compares more
   */
  counting(failed: (error: unknown) => void): AuditSink {
    return {
      append: async (inputs) => {
        const entries = await this.#audit.append(inputs);
        this.#since += inputs.length;
        if (this.#since >= ENTRIES_BETWEEN_MARKS) this.set({}).catch(failed);
        return entries;
      },
    };
  }

  /**
   * @param details what else the entry says
   * @throws BulkheadError `audit_failed`, `store_failed`
   */
  async set(details: Readonly<Record<string, string | number>>): Promise<void> {
    this.#since = 0;
    const [entry] = await this.#audit.append([
      { step: 'CHECKED', action: '', hash: '', session: '', tool: '', details },
    ]);
    if (entry === undefined) return;
    // In one tick: an intent after these positions has its STARTED after this entry.
    this.#store.setMark(markText(entry, this.#store.positions()));
    // While somebody else reads, the write-ahead log stays: it holds the mark, too.
    this.#store.checkpoint();
  }
}
