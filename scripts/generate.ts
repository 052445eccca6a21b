/* `npm run generate`: regenerates the code of the wire contract from the `.proto` files. */
import { delimiter, dirname, join } from 'node:path';
import { runProgram } from './checks/run-program.ts';

const root = dirname(import.meta.dirname);
const bin = join(root, 'node_modules', '.bin');
const result = await runProgram(join(bin, 'buf'), ['generate', '--clean'], {
  cwd: join(root, 'packages/protocol'),
  env: { ...process.env, PATH: [dirname(process.execPath), bin, process.env['PATH'] ?? ''].join(delimiter) },
});
process.stderr.write(result.output);
process.exitCode = result.code;
