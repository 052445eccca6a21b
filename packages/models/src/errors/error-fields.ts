/**
 * Reads fields of values of unknown shape: errors of other packages and bodies of other servers.
 */

export type Fields = Readonly<Record<string, unknown>>;

/** The value's fields if it is an object (arrays included), else none. */
export function fieldsOf(value: unknown): Fields {
  return isFields(value) ? value : {};
}

export function stringField(value: unknown, name: string): string | undefined {
  const field = fieldsOf(value)[name];
  return typeof field === 'string' && field !== '' ? field : undefined;
}

export function numberField(value: unknown, name: string): number | undefined {
  const field = fieldsOf(value)[name];
  return typeof field === 'number' && Number.isFinite(field) ? field : undefined;
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null;
}
