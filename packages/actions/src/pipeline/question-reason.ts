import { type Action, type ToolPlan, type Verdict, visibleText } from '@bulkhead/protocol';

/**
 * Why a person is asked. For data sent to the web, it says which data leaves, its target, and that
 * this cannot be undone [FG6]: "no rule matches" would not help the person decide.
 *
 * @param plan describes the call without executing it
 */
export async function questionReason(
  action: Pick<Action, 'metadata'>,
  { reason }: Verdict,
  plan: () => Promise<ToolPlan>,
): Promise<string> {
  if (action.metadata.group !== 'web') return reason;
  const { text, isError } = await plan();
  if (isError) return reason;
  const said = `${text} Its address and body leave this machine, which can not be undone; the answer is data from outside`;
  return visibleText(`${said} (${reason})`, false);
}
