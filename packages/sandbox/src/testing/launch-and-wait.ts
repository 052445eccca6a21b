import { once } from 'node:events';
import type { Box } from '../box.ts';
import { createSandbox } from '../create-sandbox.ts';
import { locateLauncher } from '../locate-launcher.ts';
import { nodeRuntimeFiles } from '../node-runtime-files.ts';

/**
 * A launching process for tests to kill or to run as another user. Its one argument is JSON:
 * {packageRoot, scratch} to probe and print the report, or {packageRoot, scratch, box, program} to
 * launch with this process's own stdout and wait.
 */
interface Request {
  readonly packageRoot: string;
  /** Absent: true. */
  readonly nameSpaces?: boolean;
  readonly scratch: string;
  readonly launch?: {
    readonly box: Box;
    readonly file: string;
    readonly args: readonly string[];
    readonly cwd: string;
  };
}

const request: Request = JSON.parse(process.argv[2] ?? '');
const nameSpaces = request.nameSpaces ?? true;
const sandbox = createSandbox({
  launcherPath: locateLauncher(request.packageRoot),
  nodePath: process.execPath,
  runtimeFiles: await nodeRuntimeFiles(process.execPath),
  nameSpaces: { agent: nameSpaces, worker: nameSpaces },
  scratch: request.scratch,
});
if (request.launch === undefined) {
  process.stdout.write(JSON.stringify(await sandbox.probe()));
} else {
  const { box, file, args, cwd } = request.launch;
  const child = sandbox.launch(box, { file, args, cwd, env: {}, stdio: ['ignore', 'inherit', 'inherit'] });
  await once(child, 'exit');
}
