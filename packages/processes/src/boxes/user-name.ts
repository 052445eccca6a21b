import { userInfo } from 'node:os';

/** Absent if the system has none for the user's number. */
export function userName(): { user?: string } {
  try {
    return { user: userInfo().username };
  } catch {
    return {};
  }
}
