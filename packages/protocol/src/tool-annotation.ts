/**
 * The role of one argument for its tool. Written once per tool, never per task: judges use the
 * role, not the name.
 *
 * - `path-read`, `path-write`, `path-delete`: a file or folder of this machine
 * - `command`: text that a shell runs; `code`: text that another interpreter runs
 * - `url`, `host`: the destination of a connection
 * - `recipient`: a person or account that receives (address, user name, phone number, bank
 *   account)
 * - `object`: the existing thing that is acted on (an id, a title, a file of a service)
 * - `credential`: opens an account (a new password): only ever the user's own words
 * - `amount`: a quantity of something valuable
 * - `content`: text without an effect of its own
 * - `task`: instructions that another agent, or this one later, will follow
 * - `query`: a search text
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

/** The classes of effect that a user would request in words. `read` changes nothing anywhere. */
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
 * Who can write a value that a tool returns; its structure does not matter. `user`: the person
 * alone; `workspace`: anyone who works in the folder; `service`: the service itself (an id that it
 * assigns, a list of its objects); `external`: anyone else.
 */
export type Writer = (typeof WRITERS)[number];

export const WRITERS = ['user', 'workspace', 'service', 'external'] as const;

/** The harm if others read a value, from least to worst [F1]. */
export type Secrecy = (typeof SECRECY_LEVELS)[number];

export const SECRECY_LEVELS = ['public', 'internal', 'confidential', 'restricted', 'critical'] as const;

/**
 * The ways out of this machine's trusted part. `none`: the effects stay where the chronicle can
 * undo them. A shell command is a way out only if it has hosts.
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

/** The data flow of a tool's calls, for the judges. */
export interface ToolFlow {
  readonly effect: EffectKind;
  /** Destination of the call's data. */
  readonly sink: Sink;
  /** Further words with which a person requests exactly this tool; its effect has its own. */
  readonly words?: readonly string[];
  /**
   * Storage outside the file system that keeps data of calls and returns it later, by name: its
   * label is kept, too [F2].
   */
  readonly store?: string;
  /**
   * By name of the argument; an unlisted argument has the role `content`, and is never a target.
   */
  readonly arguments: Readonly<Record<string, ArgumentRole>>;
  readonly result: ResultAnnotation;
}

/** One tool, for the judges. */
export interface ToolAnnotation extends ToolFlow {
  /** Exact name. */
  readonly tool: string;
}

export interface ResultAnnotation {
  /** Who can write the result, unless a field overrides it. */
  readonly writer: Writer;
  /** `internal` if absent. */
  readonly secrecy?: Secrecy;
  /** Writers of fields, by name of the field, at any depth. */
  readonly fields?: Readonly<Record<string, FieldAnnotation>>;
  /** Bare members of a list, where the result is a list of texts. */
  readonly items?: FieldAnnotation;
  /** The names of an object's members, where they are data: `{"Garden Hotel": 80}`. */
  readonly keys?: FieldAnnotation;
}

/**
 * `identity`: names or addresses the item (an id, an address, an account); `name`: a user's word
 * for it.
 */
export type FieldUse = (typeof FIELD_USES)[number];

export const FIELD_USES = ['identity', 'name', 'text'] as const;

export interface FieldAnnotation {
  readonly writer: Writer;
  /** `text` if absent. */
  readonly as?: FieldUse;
}

/** The annotations of all known tools; a tool without one is never allowed [A3]. */
export type ToolAnnotations = ReadonlyMap<string, ToolAnnotation>;
