import { isSecretFile } from '@bulkhead/protocol';
import * as z from 'zod';
import { nameArgument, numberArgument } from '../definitions/argument-types.ts';
import { defineTool } from '../definitions/define-tool.ts';
import { parseHost } from '../egress/host.ts';

const MAX_HOST_BYTES = 253;

/**
 * A host in the one spelling that is both judged and connected to. Any other spelling is refused,
 * not repaired.
 */
function hostArgument() {
  return nameArgument(MAX_HOST_BYTES).superRefine((text, context) => {
    const host = parseHost(text);
    if (typeof host === 'string') context.addIssue({ code: 'custom', message: host });
    else if (host.text !== text) context.addIssue({ code: 'custom', message: `is written ${host.text}` });
  });
}

/** A file in the one spelling that is judged, stored and shown to a person. */
function secretFileArgument() {
  return nameArgument(MAX_PATH_BYTES).refine(isSecretFile, {
    error: 'is no .env, .npmrc or the like, by its path below the working folder',
  });
}

/** Linux refuses a single argument of 128 KiB (MAX_ARG_STRLEN). */
const MAX_COMMAND_BYTES = 100_000;

/** A person does not read a longer list. */
const MAX_HOSTS = 16;
const MAX_FILES = 4;
const MAX_PATH_BYTES = 1_000;

/** The command may touch anything in the working folder, so it names that folder as its path. */
export const bashTool = /* @__PURE__ */ defineTool({
  name: 'bash',
  description: 'Run a shell command. Network: HTTP(S) to `hosts`.',
  group: 'shell',
  readOnly: false,
  effect: 'once',
  schema: z
    .strictObject({
      command: nameArgument(MAX_COMMAND_BYTES),
      timeout_seconds: numberArgument(1, 600).default(120),
      hosts: z.array(hostArgument()).max(MAX_HOSTS).optional(),
      secret_files: z.array(secretFileArgument()).max(MAX_FILES).optional().meta({ hinted: true }),
      background: z.boolean().optional(),
      live: z.boolean().optional(),
    })
    .refine(({ background, live }) => live !== true || background === true, {
      error: 'live is for a command in the background',
    }),
  paths: () => [{ path: '.', access: 'write' }],
  command: (args) => args.command,
  hosts: (args) => args.hosts ?? [],
  secretFiles: (args) => args.secret_files ?? [],
  background: (args) => args.background === true,
  live: (args) => args.live === true,
  flow: {
    effect: 'execute',
    sink: 'shell',
    arguments: {
      command: 'command',
      timeout_seconds: 'plain',
      hosts: 'host',
      // Judged by a person before the command runs, and by the action's own facts.
      secret_files: 'plain',
      background: 'plain',
      live: 'plain',
    },
    result: { writer: 'workspace' },
  },
  card: { kind: 'execute' },
  host: 'shell',
  execution: ({
    command,
    timeout_seconds: timeoutSeconds,
    hosts = [],
    background = false,
    live = false,
  }) => ({
    host: 'shell',
    command,
    timeoutSeconds,
    hosts,
    background,
    live,
  }),
});
