import { dispatch } from './dispatch.ts';
import { EXIT } from './exit-code.ts';
import { processEnvironment } from './process-environment.ts';

process.on('uncaughtException', (error) => {
  process.stderr.write(`bulkhead: ${error.message}\n`);
  process.exit(EXIT.failed);
});

const environment = processEnvironment({
  supervisor: new URL('./supervisor.js', import.meta.url),
  engine: new URL('./engine.js', import.meta.url),
  acp: new URL('./acp.js', import.meta.url),
});

const code = await dispatch(process.argv.slice(2), environment);
await Promise.all([process.stdout, process.stderr].map(written));
process.exit(code);

/** A pipe takes 64 KiB at once: a process that ends earlier loses the rest. */
function written(stream: NodeJS.WriteStream): Promise<void> {
  return new Promise((resolve) => {
    if (stream.destroyed) resolve();
    else stream.write('', () => resolve());
  });
}
