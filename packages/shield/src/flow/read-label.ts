import type { Secrecy, ToolAnnotation } from '@bulkhead/protocol';
import { BulkheadError } from '@bulkhead/protocol';
import type { FlowPolicy, SourceRule, Trust } from '../annotations/flow-policy.ts';
import type { Glob } from '../patterns/glob.ts';
import { matchHost } from '../patterns/host-pattern.ts';
import { matchGlob } from '../patterns/match-glob.ts';
import { type ArgumentValue, type FlowCall, readPaths } from './call.ts';
import { hostOfUrl, normalUrl } from './identifiers.ts';
import { isAtLeast } from './label.ts';
import type { StoredValue } from './values.ts';

/**
 * Most steps for matching all patterns of one result; unfinished patterns then count as matched.
 */
const BUDGET = 2_000_000;

/** The source rules' label of a result. `trust` is absent where no rule sets it. */
export interface SourceLabel {
  readonly secrecy: Secrecy;
  readonly trust?: Trust;
}

/**
 * Labels a result by its tool, the paths and hosts of the call and its sender: the highest secrecy
 * and lowest trust of all rules. A file with credentials needs no rule.
 */
export function labelOfSource(
  policy: FlowPolicy,
  annotation: ToolAnnotation,
  call: FlowCall,
  values: readonly ArgumentValue[],
  result: readonly StoredValue[],
): SourceLabel {
  let secrecy: Secrecy = annotation.result.secrecy ?? 'internal';
  if ((call.metadata?.secretFiles ?? []).length > 0 && isAtLeast('restricted', secrecy))
    secrecy = 'restricted';
  let trust: Trust | undefined;
  const budget = { steps: BUDGET };
  for (const rule of policy.sources) {
    if (!applies(rule, call, values, result, budget)) continue;
    if (rule.secrecy !== undefined && isAtLeast(rule.secrecy, secrecy)) secrecy = rule.secrecy;
    if (rule.trust !== undefined) trust = moreForeign(trust, rule.trust);
  }
  return trust === undefined ? { secrecy } : { secrecy, trust };
}

function moreForeign(a: Trust | undefined, b: Trust): Trust {
  return a === 'external' || b === 'external' ? 'external' : a === 'workspace' ? a : b;
}

function applies(
  { match }: SourceRule,
  call: FlowCall,
  values: readonly ArgumentValue[],
  result: readonly StoredValue[],
  budget: { steps: number },
): boolean {
  const glob = (globs: NonNullable<typeof match.path>, text: string, separators: string): boolean =>
    globs.some((pattern) => matches(pattern, text, separators, budget));
  const { tool, path, host, sender } = match;
  if (tool !== undefined && !tool.includes(call.tool)) return false;
  if (path !== undefined && !namesRead(call, values).some((each) => glob(path, each, '/'))) return false;
  if (host !== undefined && !hostsOf(call, values).some((each) => host.some((one) => matchHost(one, each))))
    return false;
  if (sender === undefined) return true;
  const senders = result.filter(({ field }) => /^(?:from|sender|author)$/iu.test(field));
  return senders.length > 0 && senders.every(({ normal }) => glob(sender, normal, ''));
}

/** A pattern as written, and its shortest match: `.env*` reads `.env`. */
function namesRead(call: FlowCall, values: readonly ArgumentValue[]): readonly string[] {
  const paths = readPaths(call, values);
  const shortest = paths.filter((path) => path.includes('*')).map((path) => path.replaceAll('*', ''));
  return [...paths, ...shortest];
}

/** Exceeding the budget counts as a match: then the rule's label applies. */
function matches(pattern: Glob, text: string, separators: string, budget: { steps: number }): boolean {
  try {
    return matchGlob(pattern, text, { separators }, budget);
  } catch (error) {
    if (BulkheadError.is(error) && error.code === 'timeout') return true;
    throw error;
  }
}

function hostsOf({ metadata }: FlowCall, values: readonly ArgumentValue[]): readonly string[] {
  const named = values
    .filter(({ role }) => role === 'url' || role === 'host')
    .map(({ text }) => hostOfUrl(normalUrl(text)));
  const granted = (metadata?.granted ?? []).map((place) => place.slice(0, place.lastIndexOf(':')));
  return [...(metadata?.hosts ?? []), ...granted, ...named];
}
