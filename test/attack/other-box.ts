import { once } from 'node:events';
import type { Sandbox } from '@bulkhead/sandbox';
import { innermost } from './outside-facts.ts';
import { type World, worldMaxProcesses } from './world.ts';

/** Another session's box, which the attacked one must neither see nor reach. */
export interface OtherBox extends AsyncDisposable {
  /** Its program's number on the host. */
  readonly pid: number;
}

/** A shell box with a separate folder, whose command has the canary in its environment. */
export async function startOtherBox(sandbox: Sandbox, world: World): Promise<OtherBox> {
  const folder = `${world.folder}/other`;
  const child = sandbox.launch(
    {
      kind: 'shell',
      workingFolder: folder,
      home: world.home,
      readOnly: [],
      protect: [],
      hide: [],
      limits: { maxProcesses: worldMaxProcesses, maxFileBytes: 1024 ** 2, maxOpenFiles: 64 },
    },
    {
      file: '/bin/bash',
      args: ['-c', 'echo ready; sleep 120; :'],
      cwd: folder,
      env: { CANARY: world.canary },
      stdio: ['ignore', 'pipe', 'ignore'],
    },
  );
  if (child.stdout !== null) await Promise.race([once(child.stdout, 'data'), once(child, 'exit')]);
  return {
    pid: child.exitCode === null ? innermost(child.pid ?? 0) : process.pid,
    [Symbol.asyncDispose]: async () => {
      child.kill('SIGKILL');
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    },
  };
}
