/** A part of a call's arguments in a readable form. */
export interface ArgumentBlock {
  /** Name of the argument; empty if the text needs none. */
  readonly label: string;
  readonly text: string;
}

/**
 * The arguments of a tool call: a command as a command, texts of several lines as such, everything
 * else pretty-printed.
 *
 * @param json as the model wrote it; anything but a JSON object is shown unchanged
 */
export function readableArguments(json: string): readonly ArgumentBlock[] {
  const fields = fieldsOf(json);
  if (fields === undefined) return [{ label: '', text: json }];
  const command = fields.filter(isCommand).map(([, text]) => ({ label: '', text: `$ ${String(text)}` }));
  const texts = fields.filter(isText).map(([label, text]) => ({ label, text: String(text) }));
  const others = fields.filter((field) => !isCommand(field) && !isText(field));
  try {
    const lines = others.map(([name, value]) => `${name}: ${plain(value)}`).join('\n');
    return [...command, ...(lines === '' ? [] : [{ label: '', text: lines }]), ...texts];
  } catch {
    // Nested too deep to be formatted.
    return [{ label: '', text: json }];
  }
}

type Field = readonly [name: string, value: unknown];

function fieldsOf(json: string): readonly Field[] | undefined {
  try {
    const value: unknown = JSON.parse(json);
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject ? Object.entries(value) : undefined;
  } catch {
    return undefined;
  }
}

function isCommand([name, value]: Field): boolean {
  return name === 'command' && typeof value === 'string';
}

/** File content is a text even if it has one line. */
function isText([name, value]: Field): boolean {
  if (name === 'command' || typeof value !== 'string') return false;
  return ['content', 'old_text', 'new_text'].includes(name) || value.includes('\n');
}

function plain(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value, null, 2);
}
