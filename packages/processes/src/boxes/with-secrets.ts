import type { ToolHostCall } from '@bulkhead/protocol';
import type { ShellCommand, StartedCommand } from '@bulkhead/tools';
import type { OpenedSecrets, ShownSecrets } from '../secrets/shown-secrets.ts';
import type { CommandBox } from './command-box.ts';
import type { BoxedCommand } from './live-command.ts';

/** The same command with more remarks; its end releases `rest`. */
export function withEnd(
  started: StartedCommand,
  remarks: readonly string[],
  rest: DisposableStack,
): StartedCommand {
  return {
    ...started,
    remarks: async () => [...((await started.remarks?.()) ?? []), ...remarks],
    async [Symbol.asyncDispose]() {
      try {
        await started[Symbol.asyncDispose]();
      } finally {
        rest.dispose();
      }
    },
  };
}

/** Only the launcher's boxes can show one as it was read. */
export async function openSecrets(
  { box, secrets }: { readonly box: Pick<CommandBox, 'kind'>; readonly secrets: Pick<ShownSecrets, 'open'> },
  { secretFiles }: ShellCommand,
  { workingFolder, actionId }: ToolHostCall,
): Promise<OpenedSecrets> {
  if (box.kind === 'overlay') return await secrets.open(secretFiles, workingFolder, actionId);
  const remarks = secretFiles.map((file) => `${file} is not shown: the boxes of this machine can't`);
  return { shown: [], remarks, [Symbol.dispose]: () => {} };
}

export function withSecrets(
  command: Omit<BoxedCommand, 'kept'>,
  { filled }: OpenedSecrets,
): Omit<BoxedCommand, 'kept'> {
  return filled === undefined ? command : { ...command, filled };
}

export async function offerable(
  secrets: Pick<ShownSecrets, 'offerable'>,
  names: readonly string[],
  workingFolder: string,
) {
  const { needs, refused } = await secrets.offerable(names, workingFolder);
  return { needs: needs.map((target) => ({ kind: 'secret-file' as const, target })), refused };
}

export function changedRemarks(changed: string, workingFolder: string): readonly string[] {
  return changed === workingFolder
    ? []
    : [`it could change ${changed}, and its changes are named from there`];
}
