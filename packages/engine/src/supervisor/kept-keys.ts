/**
 * The keys of a line that an engine wrote for its supervisor; undefined for any other line.
 *
 * @throws SyntaxError if the engine died while it wrote the line
 */
export function keysOfLine(line: string): Readonly<Record<string, string>> | undefined {
  if (!line.startsWith('{"type":"keys"')) return undefined;
  const { keys } = fieldsOf(JSON.parse(line));
  return Object.fromEntries(
    Object.entries(fieldsOf(keys)).flatMap(([name, value]): [string, string][] =>
      typeof value === 'string' ? [[name, value]] : [],
    ),
  );
}

function fieldsOf(value: unknown): { readonly [name: string]: unknown; readonly keys?: unknown } {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}
