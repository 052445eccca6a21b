import type { ArgumentRole, ToolAnnotation } from '@bulkhead/protocol';

const SENDING: ReadonlySet<string> = new Set(['send', 'share', 'publish']);
const LEAVING: ReadonlySet<ArgumentRole> = new Set(['url', 'host', 'recipient']);

type Arguments = Readonly<Record<string, unknown>>;

/** Returns the role of an argument; `content` where the annotation does not give one. */
export function roleOf(name: string, annotation: ToolAnnotation): ArgumentRole {
  const role = Object.hasOwn(annotation.arguments, name) ? annotation.arguments[name] : undefined;
  return role ?? 'content';
}

/** True if what the call carries leaves this machine, or reaches somebody. */
export function isOutgoing(args: Arguments, annotation: ToolAnnotation): boolean {
  if (SENDING.has(annotation.effect)) return true;
  return Object.keys(args).some((name) => LEAVING.has(roleOf(name, annotation)));
}

/**
 * Returns every text in a value. A member includes its name: a secret may be recognizable only with
 * its name, and a header's name can carry as much as its value. Structure is within
 * `oddStructure`'s bounds.
 */
export function textsOf(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.flatMap(textsOf);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) =>
    typeof member === 'string' ? [`${name}: ${member}`] : textsOf(member),
  );
}

/**
 * Returns the texts that can pass an instruction on: remembered texts and messages. A task is not
 * included: it is an instruction by nature.
 */
export function carriedTexts(args: Arguments, annotation: ToolAnnotation): readonly string[] {
  if (annotation.effect !== 'remember' && !isOutgoing(args, annotation)) return [];
  return Object.entries(args).flatMap(([name, value]) =>
    roleOf(name, annotation) === 'content' ? textsOf(value) : [],
  );
}
