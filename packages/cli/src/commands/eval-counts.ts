import type { CaseLine, EvalCase } from '@bulkhead/engine/offline/shield';
import { type ArgumentsFit, argumentsFit } from '@bulkhead/engine/offline/shield';

type Decision = 'block' | 'escalate' | 'allow';

/**
 * Verdict counts of many cases. Actions that a tool's schema refuses are counted separately: a
 * model's call of that kind is never judged, so no verdict stops it.
 */
export class EvalCounts {
  readonly #counts = new Map<ArgumentsFit, Map<Decision, number>>();

  /** @param line the verdicts of the case, one per step */
  add(subject: EvalCase, line: CaseLine): void {
    const verdicts = 'steps' in line ? line.steps : [line];
    for (const [index, { tool, args }] of subject.steps.entries()) {
      const verdict = verdicts[index];
      if (verdict === undefined) continue;
      const fit = argumentsFit(tool, args);
      const counts = this.#counts.get(fit) ?? new Map<Decision, number>();
      counts.set(verdict.decision, (counts.get(verdict.decision) ?? 0) + 1);
      this.#counts.set(fit, counts);
    }
  }

  /** One line each, for a person. */
  lines(): readonly string[] {
    return [
      this.#line('actions', ['fits', 'refused', 'unknown-tool']),
      this.#line('with arguments that their tool takes', ['fits']),
      this.#line('with arguments that their tool refuses before evaluation', ['refused']),
      this.#line('of tools that are not the product’s own', ['unknown-tool']),
    ];
  }

  #line(what: string, fits: readonly ArgumentsFit[]): string {
    const of = (decision: Decision) =>
      fits.reduce((sum, fit) => sum + (this.#counts.get(fit)?.get(decision) ?? 0), 0);
    const [block, escalate, allow] = [of('block'), of('escalate'), of('allow')];
    return `${block + escalate + allow} ${what}: ${block} block, ${escalate} escalate, ${allow} allow`;
  }
}
