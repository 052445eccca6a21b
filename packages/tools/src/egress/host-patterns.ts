import type { Host } from './host.ts';
import { parseHost } from './host.ts';

/** Allowed hosts. A list with one mistake allows no host. */
export interface HostPatterns {
  admits(host: Host): boolean;
  /** The mistake in the list, if there is one. */
  readonly problem: string | undefined;
}

const MAX_PATTERNS = 1_000;

/**
 * `example.org` matches that host alone, `*.example.org` every name below it but not itself, an
 * address that address. Names are compared label by label: `example.org` is not
 * `example.org.evil.net`, nor `badexample.org`.
 *
 * @param patterns as a person or a model wrote them; an empty list, or anything but a list of
 *   texts, allows no host
 * @param any true if `*` alone may match every host
 */
export function parseHostPatterns(patterns: unknown, { any = false } = {}): HostPatterns {
  if (!Array.isArray(patterns)) return nobody('is no list of hosts');
  if (patterns.length > MAX_PATTERNS) return nobody(`has more than ${MAX_PATTERNS} hosts`);
  const parsed = patterns.map((pattern: unknown) => parsePattern(pattern, any));
  const problem = parsed.find((pattern) => typeof pattern === 'string');
  if (problem !== undefined) return nobody(problem);
  const exact = new Set(parsed.map((pattern) => (typeof pattern === 'object' ? pattern.host : undefined)));
  const endings = parsed.flatMap((pattern) =>
    typeof pattern === 'object' && pattern.below !== undefined ? [pattern.below] : [],
  );
  return {
    problem: undefined,
    admits: ({ kind, text }) =>
      exact.has(text) ||
      endings.some((ending) => ending === '' || (kind === 'name' && text.endsWith(ending))),
  };
}

interface Pattern {
  /** The one host that matches. */
  readonly host?: string;
  /** The suffix of matching names; empty for all hosts. */
  readonly below?: string;
}

/** @returns the mistake in words, if it is not a pattern */
function parsePattern(pattern: unknown, any: boolean): Pattern | string {
  if (typeof pattern !== 'string') return 'holds something that is no text';
  if (any && pattern === '*') return { below: '' };
  const wild = pattern.startsWith('*.');
  const host = parseHost(wild ? pattern.slice(2) : pattern);
  const where = `holds ${JSON.stringify(pattern.slice(0, 100))}, which`;
  if (typeof host === 'string') return `${where} ${host}`;
  if (!wild) return { host: host.text };
  if (host.kind === 'address') return `${where} has a star before an address`;
  if (!host.text.includes('.')) return `${where} would admit everybody below a top-level name`;
  return { below: `.${host.text}` };
}

function nobody(problem: string): HostPatterns {
  return { admits: () => false, problem: `the list ${problem}` };
}
