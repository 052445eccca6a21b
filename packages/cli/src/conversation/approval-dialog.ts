import { otherOrigin, type SessionEvent } from '@bulkhead/protocol';
import { judgeName } from '@bulkhead/protocol/transcript';
import { diffLine } from '../output/diff-line.ts';
import type { Output } from '../output/output.ts';

export type ApprovalQuestion = Extract<SessionEvent, { type: 'approval_requested' }>;

/** The reason for the question: the rule, and its tier. */
export type AskingVerdict = Pick<Extract<SessionEvent, { type: 'shield_verdict' }>, 'rule' | 'tier'>;

/**
 * Shows a question: action, place, changes, reason and expiry. The reason comes last, beside the
 * keys, because a long list may push the rest off the screen.
 *
 * @param verdict that caused the question; undefined if unknown
 * @param leftMs until it is denied; undefined if unknown
 */
export function showQuestion(
  question: ApprovalQuestion,
  verdict: AskingVerdict | undefined,
  leftMs: number | undefined,
  output: Output,
): void {
  const { bold, yellow, dim } = output.palette;
  const { tool, shown, reason, rule, origin } = question;
  const from = origin === undefined ? '' : otherOrigin(origin, 'cli');
  output.line(`${yellow('?')} ${bold(output.safe(tool))} needs your approval`);
  if (from !== '') output.line(`  ${bold('requested by:')} ${output.safeLine(from)}`);
  for (const line of shown.split('\n')) output.line(`  ${diffLine(line, output)}`);
  const by =
    verdict === undefined ? '' : dim(` (${output.safeLine(verdict.rule)}; ${judgeName(verdict.tier)})`);
  output.line(`  ${bold('why:')} ${output.safe(reason)}${by}`);
  if (rule !== undefined) output.line(`  always would add: ${output.safeLine(rule)}`);
  if (leftMs !== undefined)
    output.line(dim(`  expires in ${timeLeft(leftMs)}; then it is denied automatically`));
}

function timeLeft(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1_000));
  return seconds < 100 ? `${seconds} s` : `${Math.round(seconds / 60)} min`;
}
