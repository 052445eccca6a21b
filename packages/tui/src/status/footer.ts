import { inertLine } from '@bulkhead/protocol';
import { spentSoFar, type TranscriptView } from '@bulkhead/protocol/transcript';
import { visibleWidth } from '../library/first-parts.ts';
import { cut } from '../look/fit.ts';
import type { Look } from '../look/look.ts';

export interface FooterFacts {
  readonly model: string;
  /** Size of the model's window in tokens; 0 if unknown. */
  readonly window: number;
  /**
   * Tokens of the next request, by the engine's count; the newest answer's usage is more recent.
   */
  readonly used: number;
  readonly folder: string;
  readonly offTheRecord: boolean;
  readonly dryRun: boolean;
  readonly connected: boolean;
  /** The session's log lost records, and the loss was not accepted yet. */
  readonly readOnly: boolean;
}

/**
 * The last line: the model, how full its window is, and the cost; on a narrow screen, the first of
 * these.
 */
export function footer(view: TranscriptView, facts: FooterFacts, { style }: Look, width: number): string {
  const modes = [
    ...(facts.connected ? [] : [style.danger('reconnecting…')]),
    ...(facts.readOnly ? [style.danger('read-only')] : []),
    ...(facts.offTheRecord ? [style.warning('off the record')] : []),
    ...(facts.dryRun ? [style.warning('dry run')] : []),
  ];
  const title = view.title === '' ? lastPart(facts.folder) : view.title;
  const parts = [
    ...modes,
    style.dim(inertLine(facts.model)),
    ...contextPart(view, facts, style),
    ...costPart(view, style),
    style.dim(inertLine(title)),
  ];
  return fitting(parts, width);
}

function fitting(parts: readonly string[], width: number): string {
  let line = '';
  for (const part of parts) {
    const longer = line === '' ? part : `${line} · ${part}`;
    if (line !== '' && visibleWidth(longer) > width) continue;
    line = longer;
  }
  return cut(line, width);
}

function contextPart(
  { lastUsage }: TranscriptView,
  { window, used }: FooterFacts,
  style: Look['style'],
): string[] {
  if (window === 0) return [];
  const tokens = lastUsage === undefined ? used : lastUsage.inputTokens + lastUsage.outputTokens;
  const share = Math.min(1, tokens / window);
  const paint = share > 0.85 ? style.danger : share > 0.65 ? style.warning : style.dim;
  const filled = Math.round(share * 10);
  const bar = `${'█'.repeat(filled)}${'░'.repeat(10 - filled)}`;
  return [paint(`${bar} ${Math.round(share * 100)}% of ${short(window)}`)];
}

function costPart(view: TranscriptView, { dim }: Look['style']): string[] {
  const { cost, unpriced, inputTokens, outputTokens } = spentSoFar(view);
  if (inputTokens + outputTokens === 0) return [];
  if (cost === 0) return unpriced ? [dim(`${short(inputTokens + outputTokens)} tokens`)] : [dim('$0')];
  return [dim(`${unpriced ? 'over ' : ''}$${cost < 0.1 ? cost.toFixed(4) : cost.toFixed(2)}`)];
}

function short(count: number): string {
  if (count < 1_000) return `${count}`;
  return count < 1_000_000 ? `${Math.round(count / 1_000)}k` : `${(count / 1_000_000).toFixed(1)}M`;
}

function lastPart(path: string): string {
  return path.split('/').findLast((part) => part !== '') ?? path;
}
