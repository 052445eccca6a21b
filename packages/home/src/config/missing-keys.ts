import { parse } from 'yaml';
import { configSchema } from './config-schema.ts';

/**
 * Missing keys that others of the text need: a model without its provider.
 *
 * @param text YAML that is not nested too deep
 * @returns dotted, in the order of the schema; none for a text that can't be read at all
 */
export function missingKeys(text: string): readonly string[] {
  const { error } = configSchema.safeParse(read(text) ?? {}, { reportInput: true });
  const missing = error?.issues.filter(({ input }) => input === undefined) ?? [];
  return missing.map(({ path }) => path.map(String).join('.'));
}

function read(text: string): unknown {
  try {
    return parse(text, { version: '1.2', schema: 'core' });
  } catch {
    // Syntax, or aliases that multiply: the first reader already reported it.
    return undefined;
  }
}
