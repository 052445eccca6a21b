import { itemsOf, type TranscriptView } from '@bulkhead/protocol/transcript';

/** Earlier entries that can be recalled. */
const REMEMBERED = 100;

/** The person's entries so far, oldest first. */
export function saidBefore(view: TranscriptView): readonly string[] {
  const texts: string[] = [];
  for (const item of itemsOf(view.items)) {
    if (item.kind === 'message' && item.role === 'user') texts.push(item.text);
  }
  return texts.slice(-REMEMBERED);
}
