import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import {
  classifierOnDemand,
  type EvaluationSettings,
  type FlowPolicy,
  overlayFlowPolicy,
  type PresetName,
  parseFlowPolicy,
  parsePolicy,
  presetPolicies,
  readToolDefinitions,
  shippedFlow,
} from '@bulkhead/engine/offline/shield';
import { BulkheadError } from '@bulkhead/protocol';
import type { ParsedArguments } from '../arguments/parse-arguments.ts';
import { unreadable } from '../arguments/unreadable.ts';
import type { Environment } from '../environment.ts';

/**
 * The options of `shield eval`. A policy file is a tier 0 policy if it has `rules` of `deny`; with
 * `tools` or `scopes` it describes tools and is added to the shipped file.
 * @throws BulkheadError `usage`, `config_invalid` for a file that is neither
 */
export function evaluationSettings(args: ParsedArguments, environment: Environment): EvaluationSettings {
  const preset = presetOf(args.value('preset') ?? 'default');
  const shipped = shippedFlow();
  const analysis = tiersOf(args.value('tiers') ?? '0,1').has('1');
  const flow = withDefinitions(shipped, args.value('tools'), environment);
  const classifier = classifierOnDemand();
  const settings = {
    policy: parsePolicy(presetPolicies[preset], preset),
    flow,
    preset,
    analysis,
    classifier,
  };
  const file = args.value('policy');
  if (file === undefined) return settings;
  const text = read(resolve(environment.cwd, file));
  if (/^(?:tools|scopes):/m.test(text))
    return { ...settings, flow: overlayFlowPolicy(flow, parseFlowPolicy(text, file)) };
  return { ...settings, policy: parsePolicy(text, file) };
}

/**
 * Guessed announcements of servers about their tools, beside the shipped ones; a written annotation
 * has precedence.
 */
function withDefinitions(flow: FlowPolicy, file: string | undefined, { cwd }: Environment): FlowPolicy {
  if (file === undefined) return flow;
  return {
    ...flow,
    scopes: new Map([...readToolDefinitions(read(resolve(cwd, file)), file), ...flow.scopes]),
  };
}

function presetOf(name: string): PresetName {
  if (name === 'default' || name === 'permissive' || name === 'strict') return name;
  throw new BulkheadError('usage', `unknown preset ${name}`, { fix: 'Use default, permissive or strict.' });
}

function tiersOf(list: string): ReadonlySet<string> {
  const tiers = new Set(list.split(',').map((tier) => tier.trim()));
  const known = tiers.has('0') && [...tiers].every((tier) => tier === '0' || tier === '1');
  if (!known) throw new BulkheadError('usage', `--tiers ${list} can't be`, { fix: 'Say 0 or 0,1.' });
  return tiers;
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    throw unreadable(path, cause, 'Name a policy, or a file of tools: see `bulkhead shield --help`.');
  }
}
