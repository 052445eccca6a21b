import type { CommandEntry } from './command.ts';

/** Each is loaded when called: `run` must not pay for `chat`. */
export const COMMANDS: readonly CommandEntry[] = [
  {
    name: 'init',
    about: 'set up the model that answers, with a test of the connection',
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
    about: 'serve an editor: the Agent Client Protocol on standard input and output',
    load: async () => (await import('./commands/acp.ts')).acpCommand,
  },
  {
    name: 'sessions',
    about: 'list, show, search, fork, name, export, import and delete sessions',
    load: async () => (await import('./commands/sessions.ts')).sessionsCommand,
  },
  {
    name: 'export',
    about: 'a session as JSON Lines or a page to read',
    load: async () => (await import('./commands/export.ts')).exportCommand,
  },
  {
    name: 'shield',
    about: 'judge recorded actions without doing them',
    load: async () => (await import('./commands/shield.ts')).shieldCommand,
  },
  {
    name: 'chronicle',
    about: 'what was changed, and the way back: list, diff, rollback, verify',
    load: async () => (await import('./commands/chronicle.ts')).chronicleCommand,
  },
  {
    name: 'usage',
    about: 'what model calls took: tokens and money',
    load: async () => (await import('./commands/usage.ts')).usageCommand,
  },
  {
    name: 'context',
    about: 'what a model request holds, in tokens by section',
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
    about: 'stop the engine and start it again',
    load: async () => (await import('./commands/restart.ts')).restartCommand,
  },
  {
    name: 'status',
    about: 'what runs, where, with which model',
    load: async () => (await import('./commands/status.ts')).statusCommand,
  },
  {
    name: 'processes',
    about: 'list and stop background commands',
    load: async () => (await import('./commands/processes.ts')).processesCommand,
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
    about: 'show policies, and test what one says about an action',
    load: async () => (await import('./commands/policy.ts')).policyCommand,
  },
  {
    name: 'approvals',
    about: 'what waits for your yes, from any terminal',
    load: async () => (await import('./commands/approvals.ts')).approvalsCommand,
  },
  {
    name: 'trust',
    about: 'let the instructions and programs of a folder count',
    load: async () => (await import('./commands/trust.ts')).trustCommand,
  },
  {
    name: 'skill',
    about: 'list, show, install, pin, remove and begin skills',
    load: async () => (await import('./commands/skill.ts')).skillCommand,
  },
  {
    name: 'ifc',
    about: 'what was read and from whom: list, explain, declassify, trust',
    load: async () => (await import('./commands/ifc.ts')).ifcCommand,
  },
  {
    name: 'memory',
    about: 'what outlives sessions: show, search, add, review',
    load: async () => (await import('./commands/memory.ts')).memoryCommand,
  },
  {
    name: 'profile',
    about: 'who the agent is: list, show, create, use and delete profiles',
    load: async () => (await import('./commands/profile.ts')).profileCommand,
  },
  {
    name: 'completion',
    about: 'completion for bash, zsh and fish',
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
  undo: 'Say `bulkhead chronicle rollback ID --turn`, or `/undo` in a chat.',
  web: '`bulkhead token --login` prints a link that opens the web UI.',
  login: '`bulkhead token --login` prints a link that opens the web UI.',
  models: 'See `bulkhead config get models`; `--model` of `run` and `chat` takes another one.',
};

/** Commands of the contract that are not implemented yet. */
export const PLANNED_COMMANDS: readonly string[] = ['extension', 'mcp', 'cron'];
