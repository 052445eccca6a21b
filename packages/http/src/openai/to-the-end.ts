/** For a short call that must not be left half done, whoever leaves. */
export function toTheEnd(): AbortSignal {
  return new AbortController().signal;
}
