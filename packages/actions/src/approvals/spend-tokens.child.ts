import { createInterface } from 'node:readline';
import { openTables } from '@bulkhead/sessions/testing';
import { ApprovalTokens } from './approval-tokens.ts';
import { createTokenTable } from './token-table.ts';

// One of several processes that try to use the same tokens. It receives the tokens in one line,
// reports that it is ready, starts at the next line, and reports the tokens it got.
const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
const next = async (): Promise<string> => {
  const { value } = await lines.next();
  return String(value);
};
const { path, key, minted, from } = JSON.parse(await next());
using opened = openTables(path);
const database = createTokenTable(opened.tables, 1_000);
const clock = { now: () => 1_000, monotonic: () => 5 };
const tokens = new ApprovalTokens({ database, key: Buffer.from(key, 'hex'), clock, nonces: () => '' });
process.stdout.write('ready\n');
await next();
const won: string[] = [];
for (const token of [...minted.slice(from), ...minted.slice(0, from)]) {
  const { digest, changes, session, action, nonce } = token;
  if (tokens.spend(token, { digest, changes, session, action }) === 'spent') won.push(nonce);
}
process.stdout.write(`${JSON.stringify(won)}\n`);
process.stdin.destroy();
