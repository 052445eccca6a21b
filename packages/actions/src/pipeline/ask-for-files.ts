import { type AcceptedCall, visibleText } from '@bulkhead/protocol';
import type { ActionOutcome } from './action-context.ts';
import { completedEvent } from './action-events.ts';
import type { ActionTrail } from './action-trail.ts';
import type { NeedStep } from './need-step.ts';
import { Refusal, whoDenied } from './refusal.ts';

const MADE_AGAIN = 'It is made again, with the files that the user allowed it to read.';

/** Files with credentials that a call names and that no one has allowed it to read. */
export function missingFiles({ parsed, metadata: { secretFiles = [] } }: AcceptedCall): readonly string[] {
  return (parsed.secretFiles ?? []).filter((file) => !secretFiles.includes(file));
}

/**
 * Asks a person for them before anything runs. The call is made again with them as an action of its own: its
 * bytes name what it may read.
 *
 * @throws Refusal without approval
 */
export async function askForFiles(
  action: AcceptedCall,
  files: readonly string[],
  needs: NeedStep,
  trail: ActionTrail,
): Promise<ActionOutcome> {
  const answer = await needs.offerFiles(files);
  const { repeat } = needs;
  if (answer !== 'granted' || repeat === undefined) throw new Refusal(filesRefused(files, answer), true);
  trail.note('REFUSED', { reason: MADE_AGAIN });
  await trail.commit();
  return {
    result: { text: MADE_AGAIN, isError: true },
    refused: false,
    completed: completedEvent(action, false, MADE_AGAIN),
    repeat,
  };
}

function filesRefused(files: readonly string[], answer: 'granted' | 'denied' | undefined): string {
  const names = files.map((name) => visibleText(name, false)).join(', ');
  const why =
    answer === undefined ? 'only a person can allow that, and no one was asked' : whoDenied('person');
  return `It may not read ${names}: ${why}. Nothing was done. Without \`secret_files\` it runs, and sees them empty.`;
}
