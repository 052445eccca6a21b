import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { BulkheadError, type HomeLayout } from '@bulkhead/protocol';
import { type Policy, parsePolicy } from '@bulkhead/shield';
import { ALWAYS_FILE, parseAlways } from './always-file.ts';

/**
 * The policy of a home: the file that the configuration names, with what a person has answered for good. Its digest is over
 * the bytes of both.
 *
 * @param name without `.yaml`
 * @throws BulkheadError `config_invalid` if the policy isn't there or isn't valid: nothing runs without one
 */
export function readPolicy(layout: HomeLayout, name: string): Policy {
  const path = `${layout.policies}/${name}.yaml`;
  const alwaysPath = `${layout.policies}/${ALWAYS_FILE}`;
  const text = readText(path);
  if (text === undefined) {
    throw new BulkheadError('config_invalid', `the policy ${path} is not there`, {
      fix: `Name another one with \`bulkhead config set policy NAME\`, or put one there: \`bulkhead policy show default --preset > ${path}\`.`,
    });
  }
  const always = readText(alwaysPath);
  const digest = createHash('sha256')
    .update(JSON.stringify([text, always ?? null]))
    .digest('hex');
  const policy = parsePolicy(text, path, digest);
  if (always === undefined) return policy;
  return { ...policy, answered: parseAlways(always, alwaysPath).allow };
}

/** Undefined if there is no such file. */
export function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    const reason = cause instanceof Error && 'code' in cause ? String(cause.code) : String(cause);
    if (reason === 'ENOENT') return undefined;
    throw new BulkheadError('config_invalid', `the policy ${path} can't be read (${reason})`, {
      fix: 'Give yourself read permission, or name another policy in config.yaml.',
      cause,
    });
  }
}
