import { parse } from 'yaml';
import { configSchema } from './config-schema.ts';

/**
 * Keys that others of the text need and that aren't there: a model without its provider.
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
    // Syntax, or aliases that multiply: that is its mistake, and said by who read it first.
    return undefined;
  }
}
