import type { Verdict } from '@bulkhead/protocol';
import type { TextClassifier } from '../classifier/text-classifier.ts';

/** Characters of a call that are looked at: some milliseconds. The hint is no boundary, so what follows is let be. */
const MOST = 32_768;

/**
 * A question, where a text that a call carries on reads like an order to an agent. Never more than that: whoever knows the
 * model can word an order so that it passes, and an ordinary text may read like one.
 *
 * @param texts what the call keeps or sends
 * @returns undefined where none reads so
 * @throws TypeError for an answer that is no probability; the shield then blocks
 */
export async function orderInText(
  texts: readonly string[],
  load: () => Promise<TextClassifier>,
): Promise<Verdict | undefined> {
  const parts = partsOf(texts);
  if (parts.length === 0) return undefined;
  const classifier = await load();
  let highest = 0;
  for (const part of parts) {
    const probability = await classifier.probability(part);
    if (!(probability >= 0 && probability <= 1))
      throw new TypeError(`${classifier.name} gave ${probability}`);
    highest = Math.max(highest, probability);
  }
  if (highest < classifier.threshold) return undefined;
  const sure = `${classifier.name} classifier, ${Math.floor(highest * 100)} %`;
  const reason = `carries a text that reads like an order to an agent (${sure})`;
  return { decision: 'escalate', tier: 1, rule: 'order-in-text', reason, confidence: highest };
}

function partsOf(texts: readonly string[]): readonly string[] {
  let left = MOST;
  return texts.flatMap((text) => {
    const part = text.slice(0, left);
    left -= part.length;
    return part.trim() === '' ? [] : [part];
  });
}
