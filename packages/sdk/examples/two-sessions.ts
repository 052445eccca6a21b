// Two sessions at work at once, and what they do as they do it.
import { createBulkhead, type Session } from '@bulkhead/sdk';

await using bulkhead = await createBulkhead();

async function watch(name: string, session: Session, task: string): Promise<void> {
  const run = await session.send(task);
  for await (const event of run) {
    if (event.type === 'tool_call') process.stdout.write(`${name} calls ${event.tool}\n`);
    if (event.type === 'settled') process.stdout.write(`${name} ${event.outcome}: ${event.answer}\n`);
  }
}

const [one, two] = [await bulkhead.createSession(), await bulkhead.createSession()];
await Promise.all([watch('one', one, 'first task'), watch('two', two, 'second task')]);
