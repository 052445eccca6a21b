import type { Host } from './host.ts';
import { parseHost } from './host.ts';

/** Hosts somebody allowed. A list that holds one mistake admits nobody. */
export interface HostPatterns {
  admits(host: Host): boolean;
  /** What is wrong with the list, if something is. */
  readonly problem: string | undefined;
}

const MAX_PATTERNS = 1_000;

/**
 * `example.org` is that host alone, `*.example.org` every name below it and not itself, an address is that address.
 * Names are compared label by label: `example.org` is not `example.org.evil.net`, nor `badexample.org`.
 *
 * @param patterns what a person or a model wrote; an empty list, or anything but a list of texts, admits nobody
 * @param any true where `*` alone may stand for every host
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
  /** The one host. */
  readonly host?: string;
  /** What the names end in; empty for all hosts. */
  readonly below?: string;
}

/** @returns what is wrong, in words, if it is none */
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
