import { resolve } from 'node:path/posix';
import type { Action, ArgumentRole, ToolAnnotation } from '@bulkhead/protocol';

/** A call as flow receives it: the action itself, or the parts that a trace has. */
export interface FlowCall {
  readonly tool: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  /** Facts from the engine; without them flow derives what it can, and is stricter. */
  readonly metadata?: Pick<Action['metadata'], 'workingFolder' | 'paths' | 'hosts'> & {
    /** `host:port` of servers that a person has allowed besides. */
    readonly granted?: readonly string[] | undefined;
    /** Files with credentials that a person has allowed it to read: at least restricted. */
    readonly secretFiles?: readonly string[] | undefined;
  };
}

/** One value of a call: a text or number, with the role of the argument that holds it. */
export interface ArgumentValue {
  readonly argument: string;
  readonly role: ArgumentRole;
  readonly text: string;
}

const MAX_DEPTH = 32;

/**
 * Returns every text and number of a call, in order. Deeper values are given as JSON text, so none
 * is skipped.
 */
export function argumentValues(call: FlowCall, annotation: ToolAnnotation): readonly ArgumentValue[] {
  return Object.entries(call.arguments).flatMap(([argument, value]) =>
    leaves(value, 0).map((text) => ({
      argument,
      role: Object.hasOwn(annotation.arguments, argument)
        ? (annotation.arguments[argument] ?? 'content')
        : 'content',
      text,
    })),
  );
}

/** Texts and numbers in a value; also the names of members, which are data too. */
function leaves(value: unknown, depth: number): readonly string[] {
  if (typeof value === 'string') return value === '' ? [] : [value];
  if (typeof value === 'number' || typeof value === 'bigint') return [String(value)];
  if (typeof value !== 'object' || value === null) return [];
  if (depth >= MAX_DEPTH) return [JSON.stringify(value)];
  if (Array.isArray(value)) return value.flatMap((member) => leaves(member, depth + 1));
  return Object.entries(value).flatMap(([key, member]) => [key, ...leaves(member, depth + 1)]);
}

/**
 * True for a command whose output anyone may have written: it had network access, or ran in the
 * background.
 */
export function isNetworked(call: FlowCall, { effect }: ToolAnnotation): boolean {
  return effect === 'execute' && (isConnected(call) || call.arguments['background'] === true);
}

/** It had network hosts: its output also derives from their data. */
export function isConnected({ metadata, arguments: args }: FlowCall): boolean {
  return isGranted(metadata) || (metadata?.hosts ?? []).length > 0 || Array.isArray(args['hosts']);
}

/** A person allowed it to reach servers: they are endorsed as targets, and a way out all the same. */
export function isGranted(metadata: FlowCall['metadata']): boolean {
  return (metadata?.granted ?? []).length > 0;
}

/** True for a call that is not a sink, with all its files in the working folder. */
export function staysInside({ metadata }: FlowCall, values: readonly ArgumentValue[]): boolean {
  if (values.some(({ role }) => role === 'recipient' || role === 'url' || role === 'credential'))
    return false;
  if (metadata === undefined) {
    return !values.some(
      ({ role, text }) =>
        (role === 'path-write' || role === 'path-delete') && /^[/~]|(?:^|\/)\.\.(?:\/|$)/u.test(text),
    );
  }
  const inside = `${metadata.workingFolder.replace(/\/$/u, '')}/`;
  return metadata.paths.every(
    ({ path, access }) => access === 'read' || path === metadata.workingFolder || path.startsWith(inside),
  );
}

/** Files that a call reads: as the engine resolved them, and as named. */
export function readPaths(call: FlowCall, values: readonly ArgumentValue[]): readonly string[] {
  return pathsOf(call, values, 'read', 'path-read');
}

/** Paths of one access: as named in the arguments, and as the engine resolved them. */
export function pathsOf(
  call: FlowCall,
  values: readonly ArgumentValue[],
  access: 'read' | 'write',
  role: ArgumentRole,
): readonly string[] {
  const resolved = (call.metadata?.paths ?? [])
    .filter((path) => path.access === access)
    .map(({ path }) => path);
  return [...new Set([...namedPaths(call, values, role), ...resolved])];
}

/** Paths that arguments of a role name, absolute where the working folder is known. */
export function namedPaths(
  { metadata }: FlowCall,
  values: readonly ArgumentValue[],
  role: ArgumentRole,
): readonly string[] {
  return values
    .filter((value) => value.role === role)
    .map(({ text }) => (metadata === undefined ? text : resolve(metadata.workingFolder, text)));
}
