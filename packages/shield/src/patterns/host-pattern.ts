import { BulkheadError } from '@bulkhead/protocol';

/** `*`, a host, or `*.` and the parent of subdomains; an address as in URLs. */
const PATTERN = /^(?:\*|(?:\*\.)?[a-z0-9_](?:[a-z0-9_.-]{0,251}[a-z0-9_])?|\[[0-9a-f:.]{2,45}\])$/;

/**
 * Reads a pattern for hosts, in lower case.
 * @throws BulkheadError `config_invalid` for an invalid pattern
 */
export function parseHostPattern(text: string): string {
  const lower = text.toLowerCase();
  if (PATTERN.test(lower) && !lower.includes('..')) return lower;
  throw new BulkheadError('config_invalid', 'is no host: write example.org, *.example.org or *');
}

/** True if the host equals the pattern's, or is one of its subdomains. Linear time. */
export function matchHost(pattern: string, host: string): boolean {
  if (pattern === '*') return true;
  return pattern.startsWith('*.') ? host.endsWith(pattern.slice(1)) : host === pattern;
}
