import type { HomeLayout, ToolHost } from '@bulkhead/protocol';
import { BulkheadError } from '@bulkhead/protocol';
import type { BoxProbe, Sandbox } from '@bulkhead/sandbox';
import { createShellHost } from '@bulkhead/tools';
import type { WorkingFolders } from '../session/working-folders.ts';
import { BOX_HOME, shellBox } from './shell-box.ts';

/**
 * The host of shell commands: each in a box of its own, or not at all; of an engine without a sandbox, in none.
 *
 * @param probe what the shell box's probes found at start: where they failed, no command is started
 */
export function boxedShell(parts: {
  readonly sandbox: Sandbox;
  readonly layout: HomeLayout;
  readonly folders: Pick<WorkingFolders, 'check'>;
  readonly probe: BoxProbe;
  readonly boxes: 'on' | 'off';
  readonly environment: Readonly<Record<string, string | undefined>>;
}): ToolHost {
  const { sandbox, layout, folders, probe, boxes } = parts;
  return createShellHost({
    home: BOX_HOME,
    locale: parts.environment,
    outputs: layout.outputs,
    launch: ({ file, args, cwd, env, stdio }, call) => {
      if (!probe.ok && boxes === 'on') throw noBox(probe);
      folders.check(call.sessionId, call.workingFolder);
      return sandbox.launch(shellBox(call.workingFolder, layout), { file, args, cwd, env, stdio });
    },
  });
}

function noBox(probe: BoxProbe): BulkheadError {
  const why = probe.reason ?? (probe.failed.length === 0 ? 'it could not be made' : probe.failed.join(', '));
  return new BulkheadError(
    'sandbox_unavailable',
    `shell commands are off: their box does not hold here (${why})`,
    {
      fix: 'The kernel must allow unprivileged user namespaces; see `bulkhead doctor`.',
    },
  );
}
