// One question, one answer: node one-shot.ts "What is in this folder?"
import { createBulkhead } from '@bulkhead/sdk';

await using bulkhead = await createBulkhead();
const session = await bulkhead.createSession();
const run = await session.send(process.argv[2] ?? 'What is in this folder?');
process.stdout.write(`${await run.answer()}\n`);
