import type { Secrecy, Sink, ToolAnnotation } from '@bulkhead/protocol';
import type { FlowPolicy } from '../annotations/flow-policy.ts';
import { type ArgumentValue, type FlowCall, isGranted } from './call.ts';
import { readingsOf } from './decodings.ts';
import type { FlowVerdict } from './flow-verdict.ts';
import { identifiersIn } from './identifiers.ts';
import { isAtLeast, type Label } from './label.ts';
import type { NeedleIndex } from './needles.ts';
import { isSaid, type UserRequest } from './request.ts';
import { tellingWords } from './words.ts';

/** Returns the sink of a call: a shell command is one only if it has hosts. */
export function sinkOf(tool: ToolAnnotation, { metadata }: FlowCall, values: readonly ArgumentValue[]): Sink {
  if (tool.sink !== 'shell') return tool.sink;
  if (metadata !== undefined)
    return isGranted(metadata) || (metadata.hosts ?? []).length > 0 ? 'shell' : 'none';
  const named = values.some(({ role, text }) => role === 'host' || (role === 'command' && hasUrl(text)));
  return named ? 'shell' : 'none';
}

function hasUrl(text: string): boolean {
  return identifiersIn(text).some(({ type }) => type === 'url');
}

/** For people. */
const WAYS: Readonly<Record<Sink, string>> = {
  none: 'no way',
  network: 'the network',
  mail: 'mail',
  message: 'a message',
  browser: 'the browser',
  git: 'git',
  mcp: 'a tool of another program',
  shell: 'a command that reaches the network',
  agent: 'another agent',
  model: 'a request to a model',
};

/** The input of the secrecy rule. */
export interface SecrecyState {
  readonly needles: NeedleIndex;
  readonly label: Label;
  readonly request: UserRequest;
  /** The most secret file that the call sends along. */
  readonly carried: Carried | undefined;
  /** The call sends more than its arguments show: a push, a command with a granted server. */
  readonly opaque: boolean;
}

/** Secret data that a call would send out. */
export interface Carried {
  readonly secrecy: Secrecy;
  /** Its source, for people. */
  readonly source: string;
  readonly argument: string;
}

/** Checks that this sink may carry the call's data. */
export function judgeSecrecy(
  policy: FlowPolicy,
  state: SecrecyState,
  sink: Sink,
  values: readonly ArgumentValue[],
): FlowVerdict | undefined {
  const rules = policy.rules.filter(({ sinks }) => sinks.includes(sink));
  const needle = rules.some(({ when }) => when === 'value') ? findNeedle(state.needles, values) : undefined;
  const found = moreSecret(needle, state.carried);
  for (const rule of rules) {
    const level = rule.when === 'value' ? found?.secrecy : sessionLevel(state, values);
    if (level === undefined || !isAtLeast(level, rule.secrecy)) continue;
    if (rule.decision === 'allow') return undefined;
    return {
      decision: rule.decision,
      rule: rule.name,
      reason:
        rule.when === 'value' && found !== undefined
          ? `${found.argument} carries what was read from ${found.source}, which is ${level}; it would leave by ${WAYS[sink]}`
          : `${level} data was read in this session, and may be part of this text, which would leave by ${WAYS[sink]}, holds it`,
      evidence: [],
    };
  }
  return undefined;
}

/** Searches each value and all of them joined, since a secret may be split over arguments. */
function findNeedle(needles: NeedleIndex, values: readonly ArgumentValue[]): Carried | undefined {
  if (needles.isEmpty) return undefined;
  const together = { argument: 'the arguments together', text: values.map(({ text }) => text).join('') };
  return [...values, ...(values.length > 1 ? [together] : [])]
    .flatMap(({ argument, text }) =>
      needles.find(readingsOf(text)).map(({ secrecy, source }) => ({ secrecy, source, argument })),
    )
    .reduce<Carried | undefined>((most, each) => moreSecret(most, each), undefined);
}

function moreSecret(a: Carried | undefined, b: Carried | undefined): Carried | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return isAtLeast(a.secrecy, b.secrecy) ? a : b;
}

/** The session's level, unless the call sends only its words, and each of them is the user's own. */
function sessionLevel(
  { label, request, opaque }: SecrecyState,
  values: readonly ArgumentValue[],
): Secrecy | undefined {
  if (opaque) return label.secrecy;
  const open = values.filter(({ role }) => role !== 'plain');
  const accounted = open.every(
    ({ text }) => isSaid(request, text) || (tellingWords(text).length === 0 && !/\d/u.test(text)),
  );
  return accounted ? undefined : label.secrecy;
}
