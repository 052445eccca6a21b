import type { Verdict } from '@bulkhead/protocol';
import type { TextClassifier } from '../classifier/text-classifier.ts';

/**
 * Most characters of a call to check, some milliseconds. The hint is no boundary, so longer text is
 * skipped.
 */
const MOST = 32_768;

/**
 * Asks about a call whose text reads like an instruction to an agent. Never blocks: an attacker who
 * knows the model can avoid detection, and ordinary text may look like an instruction.
 *
 * @param texts that the call keeps or sends
 * @returns undefined where no text reads like an instruction
 * @throws TypeError for an answer that is not a probability; the shield then blocks
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
