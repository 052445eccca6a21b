import type { StatusResponse } from '@bulkhead/protocol/client';

/*
 * An engine's notices are lines for people. `status` shows all of them, `start` those on its
 * address and on losses, `chat` those on conversations.
 */

const NOT_SET_UP = 'not set up';
const PORT = 'port ';
/** On losses and write failures: a session, the saved copy of its database, a log, a disk. */
const LOST = ['session ', 'a copy of ', 'the audit log', 'the session database', 'READING ONLY'];

/** Notices to show before a chat. */
export function chatNotices({
  notices,
  readableAround,
}: Pick<StatusResponse, 'notices' | 'readableAround'>): readonly string[] {
  const shown = notices.filter((notice) => !notice.startsWith(NOT_SET_UP) && !notice.startsWith(PORT));
  return readableAround === '' ? shown : [...shown, aroundNotice(readableAround)];
}

/** @param root the repository or workspace around a working folder */
export function aroundNotice(root: string): string {
  return `commands can read ${root} around this folder, apart from what may hold credentials`;
}

/** Notices to show with the engine's address. */
export function startNotices(notices: readonly string[]): readonly string[] {
  return notices.filter((notice) => [PORT, ...LOST].some((start) => notice.startsWith(start)));
}
