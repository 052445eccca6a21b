import { type Fields, stringField } from './error-fields.ts';

/**
 * The wait that the server requests, in milliseconds: `Retry-After` in seconds or as a date (RFC
 * 9110, 10.2.3), which is measured against the server's own `Date`, or `retry-after-ms`. Undefined
 * without one.
 */
export function retryAfterMs(headers: Fields, now: number): number | undefined {
  const precise = Number.parseFloat(stringField(headers, 'retry-after-ms') ?? '');
  if (Number.isFinite(precise)) return Math.max(0, Math.ceil(precise));
  const text = stringField(headers, 'retry-after');
  if (text === undefined) return undefined;
  if (/^\s*\d+(\.\d+)?\s*$/.test(text)) return Math.ceil(Number(text) * 1000);
  const until = Date.parse(text);
  const serverNow = Date.parse(stringField(headers, 'date') ?? '');
  if (Number.isNaN(until)) return undefined;
  return Math.max(0, until - (Number.isNaN(serverNow) ? now : serverNow));
}
