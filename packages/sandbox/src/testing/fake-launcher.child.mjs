/**
 * Speaks the launcher's side of the control protocol on descriptor 3, from a script in its first
 * argument: `{ send: [text, …], answers: { commit, drop, end } }`. Texts are latin1, so that any
 * byte can be sent; `end` is its answer without an order. Each text goes out in a write of its own.
 */
import { Socket } from 'node:net';

const script = JSON.parse(process.argv[2] ?? '{}');
const channel = new Socket({ fd: 3 });
for (const text of script.send ?? []) channel.write(Buffer.from(text, 'latin1'));
if (script.hangUp === true) process.exit(1);
let heard = '';
channel.on('data', (bytes) => {
  heard += bytes.toString('latin1');
  const end = heard.indexOf('\n');
  if (end < 0) return;
  const answer = script.answers?.[heard.slice(0, end)];
  if (answer === undefined) process.exit(1);
  channel.end(Buffer.from(answer, 'latin1'));
});
channel.on('error', () => process.exit(0));
channel.on('end', () => {
  process.stdout.write('the engine has gone\n');
  process.exit(0);
});
