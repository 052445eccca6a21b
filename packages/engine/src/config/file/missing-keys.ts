import { parse } from 'yaml';
import { configSchema } from '../config-schema.ts';

/**
 * Keys that others of the text need and that aren't there: a model without its provider.
 *
 * @param text YAML without syntax errors
 * @returns dotted, in the order of the schema
 */
export function missingKeys(text: string): readonly string[] {
  const read: unknown = parse(text, { version: '1.2', schema: 'core' });
  const { error } = configSchema.safeParse(read ?? {}, { reportInput: true });
  const missing = error?.issues.filter(({ input }) => input === undefined) ?? [];
  return missing.map(({ path }) => path.map(String).join('.'));
}
