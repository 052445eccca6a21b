import { setTimeout as sleep } from 'node:timers/promises';
import { connectEngine } from '@bulkhead/client';
import { homeLayout } from '@bulkhead/protocol';
import { ApprovalAnswer } from '@bulkhead/protocol/client';

// One of several clients that answer every question of an engine as fast as they can. Receives the
// home, and whether it denies questions whose action has an even last digit; ends with its input,
// and prints which of its answers took effect, and how the others were decided.
const [home = '', says = 'yes'] = process.argv.slice(2);
using client = await connectEngine(homeLayout(home));
const accepted: { readonly approval: string; readonly action: string; readonly answer: 'yes' | 'no' }[] = [];
/** Replies to answers that came too late: how each action was decided. */
const told: { readonly action: string; readonly decision: string; readonly by: string }[] = [];
let sent = 0;
let over = false;
process.stdin.on('end', () => {
  over = true;
});
process.stdin.resume();
process.stdout.write('ready\n');
while (!over) {
  const { approvals: open } = await client.call('listApprovals', {});
  await Promise.all(
    open.map(async ({ approvalId, actionHash, actionId, sessionId }) => {
      const isNo = says === 'no' && Number.parseInt(actionHash.slice(-1), 16) % 2 === 0;
      const answer = isNo ? ApprovalAnswer.DENY : ApprovalAnswer.ALLOW_ONCE;
      sent += 1;
      const decided = await client.call('decideApproval', { sessionId, approvalId, actionHash, answer });
      if (decided.accepted)
        accepted.push({ approval: approvalId, action: actionId, answer: isNo ? 'no' : 'yes' });
      else told.push({ action: actionId, decision: decided.decision, by: decided.by });
    }),
  );
  await sleep(1);
}
process.stdout.write(`${JSON.stringify({ accepted, told, sent })}\n`);
