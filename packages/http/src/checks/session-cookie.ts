/**
 * Name of the login cookie. Cookies ignore ports, so the name contains the port: two engines on one
 * machine don't log each other out.
 */
export function cookieName(port: number): string {
  return `bulkhead_session_${port}`;
}

/**
 * Another server on this host may set a cookie of our name for any path. Browsers send longer paths
 * first (RFC 6265, 5.4): ours has the shortest path and comes last.
 *
 * @returns undefined if it was not sent
 */
export function readCookie(header: string | undefined, port: number): string | undefined {
  const start = `${cookieName(port)}=`;
  return (header ?? '')
    .split(';')
    .map((part) => part.trim())
    .findLast((part) => part.startsWith(start))
    ?.slice(start.length);
}

export function setCookie(port: number, secret: string, maxAgeSeconds: number): string {
  return `${cookieName(port)}=${secret}; HttpOnly; SameSite=Strict; Path=/; Max-Age=${maxAgeSeconds}`;
}

/** Deletes the cookie in the browser. */
export function clearCookie(port: number): string {
  return setCookie(port, '', 0);
}
