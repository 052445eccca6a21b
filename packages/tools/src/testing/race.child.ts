import { fuzzPaths } from './path-fuzz.ts';
import { race } from './race.ts';

/** `race.child.ts race|paths COUNT SEED`: prints the result as JSON. */
const [what, count = '0', seed = '1'] = process.argv.slice(2);
const result =
  what === 'paths' ? fuzzPaths(Number(count), Number(seed)) : await race((done) => done < Number(count));
process.stdout.write(`${JSON.stringify(result)}\n`);
