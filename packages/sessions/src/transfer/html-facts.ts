import { PRODUCT_VERSION } from '@bulkhead/protocol';
import type { Entry, ModelCallTotals, SessionInfo } from '../session-store.ts';
import { escapeHtml } from './escape-html.ts';
import { timeHtml } from './html-parts.ts';

/** Facts about the session in the head of an exported page. */
export interface PageFacts {
  readonly info: SessionInfo;
  /** Of the shown branch. */
  readonly entries: readonly Entry[];
  /** Of the session's own log; a fork's origin has its own. */
  readonly calls: readonly ModelCallTotals[];
  /** Milliseconds since the epoch. */
  readonly exportedAt: number;
}

/** The session's identity, time, origin and cost; unknown facts are left out. */
export function factsHtml({ info, entries, calls, exportedAt }: PageFacts): string {
  const { id, origin, workingFolder, createdAt, updatedAt } = info;
  const rows: readonly (readonly [name: string, html: string])[] = [
    ['Session', escapeHtml(id)],
    ['Forked from', origin === null ? '' : escapeHtml(origin.session)],
    ['Folder', escapeHtml(workingFolder)],
    ['Created', timeHtml(createdAt)],
    ['Last changed', timeHtml(updatedAt)],
    ['Exported', `${timeHtml(exportedAt)} by Bulkhead ${PRODUCT_VERSION}`],
    ['Models', escapeHtml(modelsOf(entries, calls).join(', '))],
    ['Totals', totalsOf(calls)],
  ];
  const known = rows.filter(([, html]) => html !== '');
  return `<dl>${known.map(([name, html]) => `<dt>${name}</dt><dd>${html}</dd>`).join('\n')}</dl>`;
}

function modelsOf(entries: readonly Entry[], calls: readonly ModelCallTotals[]): readonly string[] {
  const changes = entries.map((entry) => (entry.type === 'model_change' ? entry.body.model : ''));
  const names = [...calls.map(({ model }) => model), ...changes];
  return [...new Set(names)].filter((name) => name !== '');
}

function totalsOf(calls: readonly ModelCallTotals[]): string {
  if (calls.length === 0) return '';
  const sum = (field: 'calls' | 'failed' | 'inputTokens' | 'outputTokens' | 'cost' | 'unpriced'): number =>
    calls.reduce((total, row) => total + row[field], 0);
  const [made, failed, unpriced] = [sum('calls'), sum('failed'), sum('unpriced')];
  return [
    `${amount(made, 'model call')}${failed === 0 ? '' : ` (${failed} failed)`}`,
    `${whole(sum('inputTokens'))} tokens in`,
    `${whole(sum('outputTokens'))} tokens out`,
    unpriced === made ? 'cost not known' : `$${sum('cost').toFixed(4)}`,
    ...(unpriced === 0 || unpriced === made ? [] : [`${amount(unpriced, 'call')} of unknown price`]),
  ].join(', ');
}

function amount(count: number, what: string): string {
  return `${whole(count)} ${what}${count === 1 ? '' : 's'}`;
}

function whole(count: number): string {
  return count.toLocaleString('en-US');
}
