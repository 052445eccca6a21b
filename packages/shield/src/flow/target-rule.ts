import type { ArgumentRole, ToolAnnotation } from '@bulkhead/protocol';
import type { ArgumentValue, FlowCall } from './call.ts';
import { type Endorsement, type Evidence, endorse, endorseAmount } from './endorse.ts';
import type { ArgumentEvidence, FlowVerdict } from './flow-verdict.ts';
import { identifiersIn } from './identifiers.ts';
import { normalOf, type StoredValue } from './values.ts';

const TARGETS: ReadonlySet<ArgumentRole> = new Set<ArgumentRole>([
  'recipient',
  'object',
  'url',
  'host',
  'credential',
]);

/**
 * Target side: checks that the call's effect may go to its targets. Asks about the first value
 * without an endorsement.
 */
export function judgeTargets(
  evidence: Evidence,
  tool: ToolAnnotation,
  values: readonly ArgumentValue[],
  call: FlowCall,
): FlowVerdict | undefined {
  const looked = [
    ...values.filter(({ role }) => TARGETS.has(role)),
    ...outsidePaths(values, call),
    ...hostsOf(values, call, tool),
  ].map((value) => explain(evidence, value, endorse(evidence, value.text, value.role, tool)));
  const amounts = values
    .filter(({ role }) => role === 'amount')
    .map((value) =>
      explain(evidence, value, endorseAmount(evidence, Number(value.text)) ? { by: 'request' } : undefined),
    );
  const all = [...looked, ...amounts];
  const missing = all.find(({ endorsed }) => !endorsed);
  if (missing === undefined) return undefined;
  return {
    decision: 'escalate',
    rule: missing.role === 'amount' ? 'amount-not-from-you' : 'target-not-from-you',
    reason: `${missing.argument} ${quote(missing.value)} is not from you: ${originOf(missing)}`,
    evidence: all,
  };
}

/** Content side: addresses, links and accounts in an outgoing text also need an endorsement. */
export function judgeContent(
  evidence: Evidence,
  tool: ToolAnnotation,
  values: readonly ArgumentValue[],
): FlowVerdict | undefined {
  const all = values
    .filter(({ role }) => role === 'content' || role === 'task' || role === 'code')
    .flatMap((value) =>
      identifiersIn(value.text)
        .filter(({ type }) => type !== 'handle')
        .map(({ text, type }) => {
          const inner: ArgumentValue = { ...value, text };
          const role: ArgumentRole = type === 'url' ? 'url' : 'recipient';
          // A link in a forwarded text is treated like a link that is followed.
          const endorsement =
            endorse(evidence, text, role, { ...tool, effect: 'fetch' }) ?? endorseOwned(evidence, text);
          return explain(evidence, inner, endorsement);
        }),
    );
  const missing = all.find(({ endorsed }) => !endorsed);
  if (missing === undefined) return undefined;
  return {
    decision: 'escalate',
    rule: 'address-in-content',
    reason: `${missing.argument} carries ${quote(missing.value)}, which is not from you: ${originOf(missing)}`,
    evidence: all,
  };
}

/** An address from a place that only the user can write may be passed on. */
function endorseOwned({ index }: Evidence, text: string): Endorsement | undefined {
  const source = holderOf(index, text, ({ writer }) => writer !== 'external');
  return source === undefined ? undefined : { by: 'item', source };
}

/**
 * Files written outside the working folder: without the engine's facts, every path that is not
 * clearly inside.
 */
function outsidePaths(values: readonly ArgumentValue[], { metadata }: FlowCall): readonly ArgumentValue[] {
  if (metadata === undefined) {
    return values.filter(
      ({ role, text }) =>
        (role === 'path-write' || role === 'path-delete') && /^[/~]|(?:^|\/)\.\.(?:\/|$)/u.test(text),
    );
  }
  const inside = `${metadata.workingFolder.replace(/\/$/u, '')}/`;
  return metadata.paths
    .filter(
      ({ path, access }) => access === 'write' && path !== metadata.workingFolder && !path.startsWith(inside),
    )
    .map(({ path }) => ({ argument: 'path', role: 'path-write', text: path }));
}

/** Hosts that a command would connect to. */
function hostsOf(
  values: readonly ArgumentValue[],
  { metadata }: FlowCall,
  tool: ToolAnnotation,
): readonly ArgumentValue[] {
  if (tool.sink !== 'shell') return [];
  const named = values.some(({ role }) => role === 'host');
  if (metadata !== undefined) {
    return named ? [] : (metadata.hosts ?? []).map((text) => ({ argument: 'hosts', role: 'host', text }));
  }
  return values
    .filter(({ role }) => role === 'command')
    .flatMap(({ argument, text }) =>
      identifiersIn(text)
        .filter(({ type }) => type === 'url')
        .map((url) => ({ argument, role: 'url' as const, text: url.text })),
    );
}

function explain(
  { index }: Evidence,
  { argument, role, text }: ArgumentValue,
  endorsement: Endorsement | undefined,
): ArgumentEvidence {
  const source = endorsement?.source ?? index.byNormal.get(normalOf(text))?.[0] ?? holderOf(index, text);
  const endorsed = endorsement !== undefined;
  const value = text.length > 300 ? `${text.slice(0, 300)}…` : text;
  if (endorsement?.by === 'request') return { argument, value, role, from: 'user', endorsed };
  if (source === undefined) return { argument, value, role, from: 'nowhere', endorsed };
  const around = excerpt(source.text, text);
  return {
    argument,
    value,
    role,
    from: 'result',
    tool: source.tool,
    source: around,
    writer: source.writer,
    endorsed,
  };
}

function holderOf(
  index: Evidence['index'],
  text: string,
  accept: (value: StoredValue) => boolean = () => true,
): StoredValue | undefined {
  for (const value of index.containing(text)) if (accept(value)) return value;
  return undefined;
}

/** The sentence around a value, shown to a person. */
function excerpt(text: string, value: string): string {
  const at = Math.max(0, text.indexOf(value));
  const start = Math.max(0, at - 80);
  return text
    .slice(start, at + value.length + 80)
    .replaceAll(/\s+/gu, ' ')
    .trim();
}

function originOf({ from, tool, writer }: ArgumentEvidence): string {
  if (from === 'nowhere') return 'neither your words nor anything that was read says it';
  const who = writer === 'external' ? 'where others can write' : 'but your words do not point to it';
  return `it was read by ${tool ?? 'a tool'}, ${who}`;
}

function quote(text: string): string {
  return JSON.stringify(text.length > 120 ? `${text.slice(0, 120)}…` : text);
}
