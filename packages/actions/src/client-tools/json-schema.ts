/** A JSON Schema as its author wrote it: what is in it is not known before it is looked at. */
export type JsonSchema = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A member of the object's own; undefined for one it has not, or has only by inheritance. */
export function own(object: Readonly<Record<string, unknown>>, name: string): unknown {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}
