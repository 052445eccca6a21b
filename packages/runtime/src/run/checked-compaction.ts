import type { AssembledCompaction, CompactRequest } from '@bulkhead/agent';
import type { Compactable } from '@bulkhead/log/session/compactable';
import { messageBytes } from '@bulkhead/log/session/message-view';
import type { Compaction } from './compactor.ts';

const MAX_SUMMARY_BYTES = 96 * 1024;

/**
 * Checks a proposal: it must keep something, part no call from its result, and be smaller than the
 * text it replaces [K2].
 *
 * @returns undefined if it is not to be used
 */
export function checkedCompaction(
  proposal: AssembledCompaction | undefined,
  { messages, entryIds, earlierSummary }: Compactable,
  { keepTokens, messageTokens }: Pick<CompactRequest, 'keepTokens' | 'messageTokens'>,
): Compaction | undefined {
  if (proposal === undefined) return undefined;
  const { summary, asked, replaced, byRule } = proposal;
  const keptFrom = entryIds[replaced];
  const first = messages[replaced]?.role.case;
  if (replaced < 1 || keptFrom === undefined || first === undefined || first === 'tool') return undefined;
  const size = Buffer.byteLength(summary) + asked.reduce((sum, words) => sum + Buffer.byteLength(words), 0);
  const before = messages.slice(0, replaced).reduce((sum, message) => sum + messageBytes(message), 0);
  if (summary.trim() === '' || size > MAX_SUMMARY_BYTES) return undefined;
  if (size >= before + Buffer.byteLength(earlierSummary)) return undefined;
  // A proposal that keeps more than requested saves nothing; only the last exchange may be larger.
  const kept = messageTokens.slice(replaced).reduce((sum, tokens) => sum + tokens, 0);
  const isLast = !messages.slice(replaced + 1).some(({ role }) => role.case !== 'tool');
  if (kept > keepTokens * 1.1 + 100 && !isLast) return undefined;
  return { summary, asked, keptFrom, byRule };
}
