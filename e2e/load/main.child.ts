/**
 * The load from outside: `node scripts/run.mjs e2e/load/main.child.ts SCENARIO ARGUMENTS` prints what it measured as JSON.
 * `burst 100`, `pace 100 14`, `answer text 50000000` (or `line`, `thinking`, `arguments`), `result bash 50000000` (or `line`, `read`,
 * `grep`), `readers websocket 40 32000000`.
 */
import { largeAnswer, largeResult, messages, silentReaders } from './scenarios.ts';

const [scenario = '', ...args] = process.argv.slice(2);
const [first = '', second = '', third = ''] = args;
const result = await measured();
process.stdout.write(`${JSON.stringify({ scenario, args, ...result })}\n`);

function measured(): Promise<object> {
  switch (scenario) {
    case 'burst':
      return messages(Math.min(Number(first), 200));
    case 'pace':
      return messages(Math.min(Number(first), 400), Number(second));
    case 'answer':
      return largeAnswer(first, Number(second));
    case 'result':
      return largeResult(first, Number(second));
    case 'readers':
      return silentReaders(first === 'grpc' ? 'grpc' : 'websocket', Number(second), Number(third));
    default:
      throw new Error(`there is no scenario ${scenario}`);
  }
}
