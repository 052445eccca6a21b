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

process.exit(await dispatch(process.argv.slice(2), environment));
