import { type Action, type ToolPlan, type Verdict, visibleText } from '@bulkhead/protocol';

/**
 * Why a person is asked. Of what goes out to the web it is said what leaves, where to, and that it stays there [FG6]: that no rule matches tells
 * nobody what they decide about.
 *
 * @param plan says what the call would do, and does nothing
 */
export async function questionReason(
  action: Pick<Action, 'metadata'>,
  { reason }: Verdict,
  plan: () => Promise<ToolPlan>,
): Promise<string> {
  if (action.metadata.group !== 'web') return reason;
  const { text, isError } = await plan();
  if (isError) return reason;
  const said = `${text} All that its address and body say leaves this machine and can not be taken back; what comes back is data from outside`;
  return visibleText(`${said} (${reason})`, false);
}
