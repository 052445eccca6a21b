import type { ConfirmedTime } from '@bulkhead/home/time/confirmed-time';
import type { CallerBook } from '@bulkhead/http';
import { BulkheadError, OWNER_ID } from '@bulkhead/protocol';
import type { Tables } from '@bulkhead/sessions';

/** How long a key stands for its request, in milliseconds. */
const DAY_MS = 86_400_000;
/** Keys of one caller within that time. */
const MAX_KEYS = 10_000;

/** Which sessions are a program's: they neither see nor change the owner's memory. */
export interface ProgramSessions {
  /**
   * True for sessions that a program created, and for their forks. False for a session without a
   * name: it is the owner's.
   */
  isOfProgram(sessionId: string): boolean;
}

/**
 * Names that programs gave their sessions, responses they may continue from, and keys of their
 * requests: each caller has its own. They are deleted with their session. Everything is on the disk
 * when a call returns: without its row a program's session would count as the owner's, and see the
 * owner's data.
 *
 * Rows of earlier engines hold places of responses among the names, under names that begin with a
 * control character: no caller can request one, and each stands for a session that has a row of its
 * own, or for none.
 */
export interface CallerTables
  extends ProgramSessions,
    Pick<CallerBook, 'answerOf' | 'keepAnswer' | 'responseOf' | 'keepResponse'> {
  sessionOf(caller: string, name: string): string | undefined;
  /** Within the change that makes the session, it is part of that. @throws BulkheadError `store_failed` */
  keep(caller: string, name: string, sessionId: string): void;
}

/** @param originOf the session that another is a fork of */
export function createCallerTables(
  tables: Tables,
  time: Pick<ConfirmedTime, 'confirmed'>,
  originOf: (sessionId: string) => string | undefined,
): CallerTables {
  const { prepare, write } = tables;
  const select = prepare('SELECT session FROM callers_sessions WHERE caller = ? AND name = ?');
  const insert = prepare(
    `INSERT INTO callers_sessions (caller, name, session) VALUES (?, ?, ?)
       ON CONFLICT DO UPDATE SET session = excluded.session`,
  );
  const selectProgram = prepare('SELECT 1 FROM callers_sessions WHERE session = ? AND caller <> ? LIMIT 1');
  const removals = [
    prepare('DELETE FROM callers_responses WHERE session = ?'),
    prepare('DELETE FROM callers_sessions WHERE session = ?'),
  ];
  tables.onSessionDeleted((sessionId) => {
    for (const remove of removals) remove.run(sessionId);
  });
  return {
    isOfProgram: (sessionId) => {
      for (let id: string | undefined = sessionId; id !== undefined; id = originOf(id))
        if (selectProgram.get(id, OWNER_ID) !== undefined) return true;
      return false;
    },
    sessionOf: (caller, name) => {
      const session = select.get(caller, name)?.['session'];
      return typeof session === 'string' ? session : undefined;
    },
    keep: (caller, name, sessionId) => void write(true, () => insert.run(caller, name, sessionId)),
    ...responsesIn(tables),
    ...answersIn(tables, time),
  };
}

/** In the order in which they were kept: the last of a session is the one that its conversation ends with. */
function responsesIn({ prepare, write }: Tables): Pick<CallerBook, 'responseOf' | 'keepResponse'> {
  const select = prepare(
    `SELECT session, time, number = (SELECT max(number) FROM callers_responses AS other
       WHERE other.session = callers_responses.session AND other.caller = callers_responses.caller) AS last
     FROM callers_responses WHERE caller = ? AND response = ?`,
  );
  const insert = prepare(
    'INSERT INTO callers_responses (caller, response, session, time) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING',
  );
  return {
    responseOf: (caller, response) => {
      const { session, time, last } = select.get(caller, response) ?? {};
      if (typeof session !== 'string') return undefined;
      return { sessionId: session, time: typeof time === 'string' ? time : undefined, isLast: last === 1 };
    },
    keepResponse: (caller, response, { sessionId, time }) =>
      void write(true, () => insert.run(caller, response, sessionId, time ?? null)),
  };
}

/**
 * Keys of requests, for a day of confirmed time, with where their answers are: a clock that jumps drops none, so nothing that
 * is sent again runs twice [FT83].
 */
function answersIn(
  { prepare, write }: Tables,
  time: Pick<ConfirmedTime, 'confirmed'>,
): Pick<CallerBook, 'answerOf' | 'keepAnswer'> {
  const now = () => Math.floor(time.confirmed());
  const later = prepare('SELECT 1 FROM callers_answers WHERE at > ? LIMIT 1');
  const latest = Math.ceil(time.confirmed());
  // Engines before confirmed time wrote wall time, which is far more: those keys count as from now.
  if (later.get(latest) !== undefined)
    write(false, () => prepare('UPDATE callers_answers SET at = ?1 WHERE at > ?1').run(latest));
  const select = prepare(
    'SELECT fingerprint, record FROM callers_answers WHERE caller = ? AND key = ? AND at > ?',
  );
  const forget = prepare('DELETE FROM callers_answers WHERE at <= ?');
  const count = prepare('SELECT count(*) AS keys FROM callers_answers WHERE caller = ? AND key <> ?');
  const insert = prepare(
    `INSERT INTO callers_answers (caller, key, fingerprint, record, at) VALUES (?, ?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET record = excluded.record`,
  );
  return {
    answerOf: (caller, key) => {
      const { fingerprint, record } = select.get(caller, key, now() - DAY_MS) ?? {};
      if (typeof fingerprint !== 'string' || typeof record !== 'string') return undefined;
      return { fingerprint, record };
    },
    // On the disk before its message is: a power cut that left the message alone would have it run twice.
    keepAnswer: (caller, key, { fingerprint, record }) =>
      write(true, () => {
        forget.run(now() - DAY_MS);
        if (Number(count.get(caller, key)?.['keys']) >= MAX_KEYS) throw tooMany();
        insert.run(caller, key, fingerprint, record, now());
      }),
  };
}

function tooMany(): BulkheadError {
  return new BulkheadError('rate_limit', `this token has used ${MAX_KEYS} idempotency keys within a day`, {
    fix: 'Leave the key out where a request is never sent again.',
    details: { status: 429, apiCode: 'rate_limit_exceeded', retryAfterSeconds: 3_600 },
  });
}
