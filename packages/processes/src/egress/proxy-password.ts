import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** The user that the address of a proxy with a password names. */
export const PROXY_USER = 'bulkhead';

/** What a client is told that has no password. Some send theirs only when asked for it. */
export const PASSWORD_WANTED = 'Basic realm="bulkhead"';

/** @returns whether a request has the password of its proxy; any has, where none is asked for */
export function hasPassword({ headers }: IncomingMessage, password: string | undefined): boolean {
  if (password === undefined) return true;
  const [, given = ''] = /^basic +([a-z0-9+/=]+)$/i.exec(headers['proxy-authorization'] ?? '') ?? [];
  const wanted = Buffer.from(`${PROXY_USER}:${password}`);
  return timingSafeEqual(digest(Buffer.from(given, 'base64')), digest(wanted));
}

/** Of one length whatever was sent. */
function digest(bytes: Buffer): Buffer {
  return createHash('sha256').update(bytes).digest();
}
