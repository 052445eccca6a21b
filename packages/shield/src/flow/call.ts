import type { Action, ArgumentRole, ToolAnnotation } from '@bulkhead/protocol';

/** A call as flow receives it: the action itself, or the parts that a trace has. */
export interface FlowCall {
  readonly tool: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  /** Facts from the engine; without them flow derives what it can, and is stricter. */
  readonly metadata?: Pick<Action['metadata'], 'workingFolder' | 'paths' | 'hosts'>;
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
