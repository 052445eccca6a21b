/** For a short call that must finish even if its client leaves. */
export function toTheEnd(): AbortSignal {
  return new AbortController().signal;
}
