/**
 * The cookie of a login. Cookies don't know ports, so its name does: two engines on one machine don't log each other out.
 */
export function cookieName(port: number): string {
  return `bulkhead_session_${port}`;
}

/** @returns undefined if it was not sent */
export function readCookie(header: string | undefined, port: number): string | undefined {
  const start = `${cookieName(port)}=`;
  return (header ?? '')
    .split(';')
    .map((part) => part.trim())
    .find((part) => part.startsWith(start))
    ?.slice(start.length);
}

export function setCookie(port: number, secret: string, maxAgeSeconds: number): string {
  return `${cookieName(port)}=${secret}; HttpOnly; SameSite=Strict; Path=/; Max-Age=${maxAgeSeconds}`;
}

/** Has the browser forget it. */
export function clearCookie(port: number): string {
  return setCookie(port, '', 0);
}
