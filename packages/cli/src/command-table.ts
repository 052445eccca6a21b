import type { CommandEntry } from './command.ts';

/** Each is loaded when called: `run` must not pay for `chat`. */
export const COMMANDS: readonly CommandEntry[] = [
  {
    name: 'init',
    about: 'set up a model and test the connection',
    load: async () => (await import('./commands/init.ts')).initCommand,
  },
  {
    name: 'run',
    about: 'send one message, print the answer',
    load: async () => (await import('./commands/run.ts')).runCommand,
  },
  {
    name: 'chat',
    about: 'talk in the terminal',
    load: async () => (await import('./commands/chat.ts')).chatCommand,
  },
  {
    name: 'acp',
    about: 'serve an editor (Agent Client Protocol on standard input and output)',
    load: async () => (await import('./commands/acp.ts')).acpCommand,
  },
  {
    name: 'sessions',
    about: 'list, show, search, fork, name, export, import and delete sessions',
    load: async () => (await import('./commands/sessions.ts')).sessionsCommand,
  },
  {
    name: 'export',
    about: 'write a session as JSON Lines or HTML',
    load: async () => (await import('./commands/export.ts')).exportCommand,
  },
  {
    name: 'shield',
    about: 'evaluate recorded actions (dry run)',
    load: async () => (await import('./commands/shield.ts')).shieldCommand,
  },
  {
    name: 'chronicle',
    about: 'list, show and undo changes',
    load: async () => (await import('./commands/chronicle.ts')).chronicleCommand,
  },
  {
    name: 'usage',
    about: 'show model usage and cost',
    load: async () => (await import('./commands/usage.ts')).usageCommand,
  },
  {
    name: 'context',
    about: 'show the tokens of a model request by section',
    load: async () => (await import('./commands/context.ts')).contextCommand,
  },
  {
    name: 'start',
    about: 'start the engine',
    load: async () => (await import('./commands/start.ts')).startCommand,
  },
  {
    name: 'stop',
    about: 'stop the engine',
    load: async () => (await import('./commands/stop.ts')).stopCommand,
  },
  {
    name: 'restart',
    about: 'restart the engine',
    load: async () => (await import('./commands/restart.ts')).restartCommand,
  },
  {
    name: 'status',
    about: 'show the state of the engine and its model',
    load: async () => (await import('./commands/status.ts')).statusCommand,
  },
  {
    name: 'processes',
    about: 'list and stop background commands',
    load: async () => (await import('./commands/processes.ts')).processesCommand,
  },
  {
    name: 'box',
    about: 'show and reset the private home of commands',
    load: async () => (await import('./commands/box.ts')).boxCommand,
  },
  {
    name: 'logs',
    about: "show the engine's log",
    load: async () => (await import('./commands/logs.ts')).logsCommand,
  },
  {
    name: 'token',
    about: 'print the access token of this home',
    load: async () => (await import('./commands/token.ts')).tokenCommand,
  },
  {
    name: 'doctor',
    about: 'check this machine and the configuration',
    load: async () => (await import('./commands/doctor.ts')).doctorCommand,
  },
  {
    name: 'config',
    about: 'show and change the configuration, store keys',
    load: async () => (await import('./commands/config.ts')).configCommand,
  },
  {
    name: 'audit',
    about: 'show, verify, export and prove the record of every action',
    load: async () => (await import('./commands/audit.ts')).auditCommand,
  },
  {
    name: 'policy',
    about: 'show policies and test the verdict for an action',
    load: async () => (await import('./commands/policy.ts')).policyCommand,
  },
  {
    name: 'approvals',
    about: 'list and answer pending approvals',
    load: async () => (await import('./commands/approvals.ts')).approvalsCommand,
  },
  {
    name: 'why',
    about: 'tell why an action was allowed, asked about or refused',
    load: async () => (await import('./commands/why.ts')).whyCommand,
  },
  {
    name: 'grants',
    about: 'list and revoke what later commands may reach',
    load: async () => (await import('./commands/grants.ts')).grantsCommand,
  },
  {
    name: 'trust',
    about: 'trust a folder’s instructions and programs',
    load: async () => (await import('./commands/trust.ts')).trustCommand,
  },
  {
    name: 'skill',
    about: 'list, show, install, pin, remove and create skills',
    load: async () => (await import('./commands/skill.ts')).skillCommand,
  },
  {
    name: 'ifc',
    about: 'show the data flow of a session: sources, labels, trust',
    load: async () => (await import('./commands/ifc.ts')).ifcCommand,
  },
  {
    name: 'memory',
    about: 'show, search, add to and review memory',
    load: async () => (await import('./commands/memory.ts')).memoryCommand,
  },
  {
    name: 'profile',
    about: 'list, show, create, use and delete profiles',
    load: async () => (await import('./commands/profile.ts')).profileCommand,
  },
  {
    name: 'completion',
    about: 'shell completion for bash, zsh and fish',
    load: async () => (await import('./commands/completion.ts')).completionCommand(COMMANDS),
  },
  {
    name: 'version',
    about: 'print the version',
    load: async () => (await import('./commands/version.ts')).versionCommand,
  },
];

/** Words that people try, and the advice for each. */
export const ELSEWHERE: Readonly<Record<string, string>> = {
  undo: 'Use `bulkhead chronicle rollback ID --turn`, or `/undo` in a chat.',
  web: '`bulkhead token --login` prints a link that opens the web UI.',
  login: '`bulkhead token --login` prints a link that opens the web UI.',
  models: 'See `bulkhead config get models`; `run` and `chat` take another one with `--model`.',
};

/** Commands of the contract that are not implemented yet. */
export const PLANNED_COMMANDS: readonly string[] = ['extension', 'mcp', 'cron'];
