/**
 * What one argument is to the tool that gets it. Written once per tool, never per task: a judge asks the role, not the name.
 *
 * - `path-read`, `path-write`, `path-delete`: a file or folder of this machine
 * - `command`: text that a shell runs; `code`: text that another interpreter runs
 * - `url`, `host`: where a connection goes
 * - `recipient`: a person or account that receives (address, user name, phone number, bank account)
 * - `object`: which existing thing is acted on (an id, a title, a file of a service)
 * - `credential`: opens an account (a new password): only ever the user's own words
 * - `amount`: how much of something that is worth something
 * - `content`: text that goes there, with no effect of its own
 * - `task`: instructions that another agent, or this one later, will follow
 * - `query`: what is looked for
 * - `plain`: a setting without power
 */
export type ArgumentRole = (typeof ARGUMENT_ROLES)[number];

export const ARGUMENT_ROLES = [
  'path-read',
  'path-write',
  'path-delete',
  'command',
  'code',
  'url',
  'host',
  'recipient',
  'object',
  'credential',
  'amount',
  'content',
  'task',
  'query',
  'plain',
] as const;

/** The classes of effect a user would ask for in words. `read` changes nothing anywhere. */
export type EffectKind = (typeof EFFECT_KINDS)[number];

export const EFFECT_KINDS = [
  'read',
  'fetch',
  'send',
  'share',
  'publish',
  'pay',
  'book',
  'create',
  'change',
  'delete',
  'execute',
  'schedule',
  'delegate',
  'remember',
  'configure',
  'account',
] as const;

/**
 * Who can write a value that a tool gives back: what matters is who can write it, not whether it is structured.
 * `user`: the person alone; `workspace`: whoever works in the folder; `service`: the service itself (an id that it
 * gives, a list of what there is); `external`: anybody else.
 */
export type Writer = (typeof WRITERS)[number];

export const WRITERS = ['user', 'workspace', 'service', 'external'] as const;

/** How bad it is if others read a value, from least to worst [F1]. */
export type Secrecy = (typeof SECRECY_LEVELS)[number];

export const SECRECY_LEVELS = ['public', 'internal', 'confidential', 'restricted', 'critical'] as const;

/**
 * The ways out of this machine's trusted part. `none`: what the call does stays where the chronicle can undo it.
 * A shell command is a way out only if it has hosts.
 */
export type Sink = (typeof SINKS)[number];

export const SINKS = [
  'none',
  'network',
  'mail',
  'message',
  'browser',
  'git',
  'mcp',
  'shell',
  'agent',
  'model',
] as const;

/** What the calls of a tool do with data, as the judges know it. */
export interface ToolFlow {
  readonly effect: EffectKind;
  /** Where what the call carries goes. */
  readonly sink: Sink;
  /** Further words by which a person asks for exactly this tool; its effect has its own. */
  readonly words?: readonly string[];
  /** A place beside the files that keeps what a call gives it and gives it back later, by name: its label is kept, too [F2]. */
  readonly store?: string;
  /** By name of the argument; an argument that is not listed has the role `content`, and is never a target. */
  readonly arguments: Readonly<Record<string, ArgumentRole>>;
  readonly result: ResultAnnotation;
}

/** One tool, as the judges know it. */
export interface ToolAnnotation extends ToolFlow {
  /** Exact name. */
  readonly tool: string;
}

export interface ResultAnnotation {
  /** Who can write what comes back, where no field says otherwise. */
  readonly writer: Writer;
  /** `internal` if absent. */
  readonly secrecy?: Secrecy;
  /** By name of the field, at any depth: who can write it. */
  readonly fields?: Readonly<Record<string, FieldAnnotation>>;
  /** Bare members of a list, where the result is a list of texts. */
  readonly items?: FieldAnnotation;
  /** The names of an object's members, where they are data: `{"Garden Hotel": 80}`. */
  readonly keys?: FieldAnnotation;
}

/** `identity`: names or addresses the item (an id, an address, an account); `name`: what a user would call it by. */
export type FieldUse = (typeof FIELD_USES)[number];

export const FIELD_USES = ['identity', 'name', 'text'] as const;

export interface FieldAnnotation {
  readonly writer: Writer;
  /** `text` if absent. */
  readonly as?: FieldUse;
}

/** The annotations of all known tools; a tool without one is never allowed [A3]. */
export type ToolAnnotations = ReadonlyMap<string, ToolAnnotation>;
