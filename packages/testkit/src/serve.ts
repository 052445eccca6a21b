/**
 * The scripted server as a process: `node serve.ts --script FILE.json`. Prints
 * `{"port":N,"url":"…"}` as one line and serves until it gets a signal or its parent is gone. Runs
 * without a build, so everything it imports must be plain relative modules with erasable types.
 */
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { parseScript } from './parse-script.ts';
import { startScriptedModelServer } from './scripted-model-server.ts';

const { values } = parseArgs({ options: { script: { type: 'string' } } });
if (values.script === undefined) throw new Error('usage: serve.ts --script FILE.json');
const script = parseScript(readFileSync(values.script, 'utf8'));
const server = await startScriptedModelServer(script.replies, script);
process.stdout.write(`${JSON.stringify({ port: server.port, url: server.url })}\n`);

const stop = (): void => {
  server.close().then(() => process.exit(0));
};
process.once('SIGTERM', stop);
process.once('SIGINT', stop);

const parent = process.ppid;
setInterval(() => {
  if (process.ppid !== parent) stop();
}, 500).unref();
