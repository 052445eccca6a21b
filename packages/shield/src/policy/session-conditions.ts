import type { PolicyList, TaintMatch } from './policy.ts';
import type { PolicyFacts } from './policy-case.ts';
import { isWithin, type TimeWindow } from './time-window.ts';
import { failureOf, letsPass } from './wording.ts';

/** Returns why `taint` does not hold. */
export function taintFailure(
  list: PolicyList,
  { secrecy, trust }: TaintMatch,
  { taint }: PolicyFacts,
): string | undefined {
  const failures = [
    secrecy === undefined ? undefined : failureOf(list, 'secrecy', taint?.secrecy, secrecy),
    trust === undefined ? undefined : failureOf(list, 'trust', taint?.trust, trust),
  ];
  return failures.find((failure) => failure !== undefined);
}

/** Returns why `time` does not hold. */
export function timeFailure(
  list: PolicyList,
  windows: readonly TimeWindow[],
  { now }: PolicyFacts,
): string | undefined {
  if (now === undefined) return letsPass(list) ? 'the time is not known' : undefined;
  return windows.some((window) => isWithin(window, now)) ? undefined : 'it is another time';
}
