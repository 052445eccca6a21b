import { readStrictYaml } from '@bulkhead/protocol/strict-yaml';
import * as z from 'zod';
import { badSkillFile } from '../skill-error.ts';
import { checkNesting } from './check-nesting.ts';

/** Most keys of front matter; with its 8 KiB, this bounds the parser's work. */
const MAX_KEYS = 64;
/** Longest key, in characters. */
const MAX_KEY = 64;

/**
 * Reads front matter against a schema. Anchors, aliases, tags, merge keys and doubled keys are
 * errors: they let one part of a file stand for another (FT65).
 *
 * @param yaml from `splitFrontMatter`
 * @throws BulkheadError `config_invalid` naming file, line and problem
 */
export function readFrontMatter<Schema extends z.ZodType>(
  yaml: string,
  fileName: string,
  schema: Schema,
): z.output<Schema> {
  checkNesting(yaml, fileName);
  const fix = `Correct ${fileName}.`;
  const plain = z.record(z.string().max(MAX_KEY), z.json()).superRefine((value, context) => {
    if (Object.keys(value).length > MAX_KEYS)
      context.addIssue({ code: 'custom', message: `more than ${MAX_KEYS} keys` });
    if (Object.hasOwn(value, '<<'))
      context.addIssue({ code: 'custom', message: 'a merge key is not allowed', path: ['<<'] });
  });
  const parsed = readStrictYaml(yaml, fileName, plain, { fix });
  const result = schema.safeParse(parsed.value);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  if (issue === undefined) throw badSkillFile(fileName, 1, 'the front matter is not valid');
  const path = issue.path.map((part) => (typeof part === 'number' ? part : String(part)));
  throw parsed.fail(path, `${path.join('.')}${path.length === 0 ? '' : ': '}${issue.message}`);
}
