/*
 * An engine's notices are lines for people. Where each belongs: `status` shows all of them, `start` what concerns the
 * address it tells, `chat` what concerns talking.
 */

const NOT_SET_UP = 'not set up';
const PORT = 'port ';

/** What to say before a chat. */
export function chatNotices(notices: readonly string[]): readonly string[] {
  return notices.filter((notice) => !notice.startsWith(NOT_SET_UP) && !notice.startsWith(PORT));
}

/** What to say where the engine's address is told. */
export function addressNotices(notices: readonly string[]): readonly string[] {
  return notices.filter((notice) => notice.startsWith(PORT));
}
