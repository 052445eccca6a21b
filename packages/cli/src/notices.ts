/*
 * An engine's notices are lines for people. Where each belongs: `status` shows all of them, `start` what concerns the
 * address it tells and what was lost, `chat` what concerns talking.
 */

const NOT_SET_UP = 'not set up';
const PORT = 'port ';
/** Of what was lost or can't be written: a session, the copy that was kept of its database, a log, a disk. */
const LOST = ['session ', 'a copy of ', 'the audit log', 'the session database', 'READING ONLY'];

/** What to say before a chat. */
export function chatNotices(notices: readonly string[]): readonly string[] {
  return notices.filter((notice) => !notice.startsWith(NOT_SET_UP) && !notice.startsWith(PORT));
}

/** What to say where the engine's address is told. */
export function startNotices(notices: readonly string[]): readonly string[] {
  return notices.filter((notice) => [PORT, ...LOST].some((start) => notice.startsWith(start)));
}
