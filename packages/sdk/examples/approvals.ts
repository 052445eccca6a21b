// A program that answers what needs approval: writing below .vscode is fine, anything else is not.
import { createBulkhead } from '@bulkhead/sdk';

await using bulkhead = await createBulkhead();
const session = await bulkhead.createSession();
const run = await session.send(process.argv[2] ?? 'Set the tab width of this folder to 2.', {
  approve: 'ask',
});
for await (const event of run) {
  if (event.type !== 'approval_requested') continue;
  const fine = event.tool === 'write' && event.shown.includes('.vscode/');
  process.stdout.write(`${fine ? 'yes' : 'no'} to ${event.tool}: ${event.reason}\n`);
  await session.decide(event, fine ? 'once' : 'deny');
}
const { outcome, answer } = await run.end();
process.stdout.write(`${outcome}: ${answer}\n`);
