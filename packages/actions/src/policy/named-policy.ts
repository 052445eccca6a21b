import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import { loadConfig } from '@bulkhead/home/config/load-config';
import { BulkheadError, type HomeLayout } from '@bulkhead/protocol';
import { type Policy, parsePolicy, presetPolicies } from '@bulkhead/shield';
import { readPolicy } from './read-policy.ts';

/** A policy that a person named, and its source text. */
interface NamedPolicy {
  readonly policy: Policy;
  readonly text: string;
  /** The file, or `preset NAME`. */
  readonly source: string;
}

/** Far more than any policy needs, bytes. */
const MAX_BYTES = 256 * 1024;

/**
 * @param which a name in the home's `policies/`, a path (contains a slash or a dot), or nothing for
 * the policy in force with the permanent approvals
 * @param options.preset uses the shipped policy, regardless of the home
 * @throws BulkheadError `config_invalid` naming file, line and column; `usage` if the policy does
 * not exist
 */
export function readNamedPolicy(
  layout: HomeLayout,
  which: string | undefined,
  options: { readonly preset: boolean } = { preset: false },
): NamedPolicy {
  if (options.preset) return presetOf(which ?? 'default');
  const configured = loadConfig(layout.config).policy;
  const inForce = which === undefined || which === configured;
  const name = which ?? configured;
  const path = /[./]/.test(name) ? name : `${layout.policies}/${name}.yaml`;
  const text = read(path, name);
  const digest = createHash('sha256').update(text).digest('hex');
  const policy = inForce ? readPolicy(layout, configured) : parsePolicy(text, path, digest);
  return { policy, text, source: path };
}

function presetOf(name: string): NamedPolicy {
  const preset = Object.entries(presetPolicies).find(([known]) => known === name);
  if (preset === undefined) {
    throw new BulkheadError('usage', `there is no preset ${JSON.stringify(name)}`, {
      fix: `Known: ${Object.keys(presetPolicies).join(', ')}.`,
    });
  }
  const [, text] = preset;
  return { policy: parsePolicy(text, basename(name)), text, source: `preset ${name}` };
}

function read(path: string, name: string): string {
  try {
    const { size } = statSync(path);
    if (size > MAX_BYTES)
      throw new BulkheadError('usage', `${path} is larger than ${MAX_BYTES} bytes`, {
        fix: 'No policy is: name a policy file, or one of `bulkhead policy list`.',
      });
    return readFileSync(path, 'utf8');
  } catch (cause) {
    if (BulkheadError.is(cause)) throw cause;
    const reason = cause instanceof Error && 'code' in cause ? String(cause.code) : String(cause);
    throw new BulkheadError(
      'usage',
      `there is no policy ${JSON.stringify(name)}: ${path} can't be read (${reason})`,
      {
        fix: 'See `bulkhead policy list`.',
        cause,
      },
    );
  }
}
