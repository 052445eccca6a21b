import { readFileSync } from 'node:fs';
import { BulkheadError, type HomeLayout } from '@bulkhead/protocol';
import { type Policy, parsePolicy } from '@bulkhead/shield';

/** @throws BulkheadError `config_invalid` if the policy isn't there or isn't valid: nothing runs without one */
export function loadPolicy(layout: HomeLayout, name: string): Policy {
  const path = `${layout.policies}/${name}.yaml`;
  return parsePolicy(read(path), path);
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    const reason = cause instanceof Error && 'code' in cause ? String(cause.code) : String(cause);
    throw new BulkheadError('config_invalid', `the policy ${path} can't be read (${reason})`, {
      fix: 'Correct `policy` in config.yaml, or delete the file to get the preset back.',
      cause,
    });
  }
}
