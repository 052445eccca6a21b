/**
 * What one argument is to the tool that gets it. Written once per tool, never per task: a judge asks the role, not the name.
 *
 * - `path-read`, `path-write`, `path-delete`: a file or folder of this machine
 * - `command`: text that a shell runs; `code`: text that another interpreter runs
 * - `url`, `host`: where a connection goes
 * - `recipient`: a person or account that receives (address, user name, phone number, bank account)
 * - `object`: which existing thing is acted on (an id, a title, a file of a service)
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

/** Who can write a value that a tool gives back: what matters is who can write it, not whether it is structured. */
export type Writer = 'user' | 'workspace' | 'service' | 'external';

/** One tool, as the judges know it. */
export interface ToolAnnotation {
  /** Exact name. */
  readonly tool: string;
  readonly effect: EffectKind;
  /** By name of the argument; an argument that is not listed has the role `content`, and is never a target. */
  readonly arguments: Readonly<Record<string, ArgumentRole>>;
  readonly result: ResultAnnotation;
}

export interface ResultAnnotation {
  /** Who can write what comes back, where no field says otherwise. */
  readonly writer: Writer;
  /** By name of the field, at any depth: who can write it. */
  readonly fields?: Readonly<Record<string, FieldAnnotation>>;
}

export interface FieldAnnotation {
  readonly writer: Writer;
  /** `identity`: names or addresses the item (an id, an address, an account); `name`: what a user would call it by. */
  readonly as?: 'identity' | 'name' | 'text';
}

/** The annotations of all tools that are known; a tool without one is known to nobody, and never allowed [A3]. */
export type ToolAnnotations = ReadonlyMap<string, ToolAnnotation>;
