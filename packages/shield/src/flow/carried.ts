import type { ToolAnnotation } from '@bulkhead/protocol';
import type { FlowPolicy } from '../annotations/flow-policy.ts';
import type { ArgumentValue, FlowCall } from './call.ts';
import { type FlowLabels, keptLabel, labelOfPaths, readPaths } from './kept-labels.ts';
import { CLEAN, joinLabels, type Label } from './label.ts';
import { labelOfSource } from './read-label.ts';
import type { Carried } from './secrecy-rule.ts';

interface Parts {
  readonly policy: FlowPolicy;
  readonly labels: FlowLabels;
}

/**
 * Returns the most secret file that a call sends along; undefined if none is secret. @param opaque
 * it sends its whole folder
 */
export function carriedBy(
  { policy, labels }: Parts,
  tool: ToolAnnotation,
  call: FlowCall,
  values: readonly ArgumentValue[],
  opaque: boolean,
): Carried | undefined {
  const paths = readPaths(call, values);
  const folder = opaque ? [call.metadata?.workingFolder ?? '.'] : [];
  const kept = labelOfPaths(labels.files, [...paths, ...folder]);
  const named = paths.length === 0 ? 'public' : labelOfSource(policy, tool, call, values, []).secrecy;
  const { secrecy } = joinLabels(kept ?? CLEAN, { ...CLEAN, secrecy: named });
  if (secrecy === 'public') return undefined;
  return { secrecy, source: paths.join(', ') || 'the working folder', argument: 'the call' };
}

/**
 * Returns the label of everything a call reads, before it has a result: its own writes derive from
 * that.
 */
export function labelOfReads(
  { policy, labels }: Parts,
  tool: ToolAnnotation,
  call: FlowCall,
  values: readonly ArgumentValue[],
  isForeign: boolean,
): Label {
  const source = labelOfSource(policy, tool, call, values, []);
  const trust = isForeign ? 'external' : (source.trust ?? 'workspace');
  const named = { secrecy: source.secrecy, trust };
  return joinLabels(keptLabel(labels, tool, call, values) ?? CLEAN, named);
}
