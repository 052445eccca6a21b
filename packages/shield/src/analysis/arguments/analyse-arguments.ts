import type { ArgumentRole, ToolAnnotation } from '@bulkhead/protocol';
import type { Finding } from '../effects/finding.ts';
import { doubledKey, oddStructure } from './argument-shape.ts';
import { isOutgoing, roleOf, textsOf } from './argument-texts.ts';
import { judgeOutgoing } from './judge-content.ts';
import { judgeEffect } from './judge-effect.ts';
import { judgeInstructions } from './judge-instructions.ts';
import { judgePath } from './judge-path.ts';
import { judgeRecipients } from './judge-recipient.ts';
import { judgeHost, judgeUrl } from './judge-url.ts';
import { judgeWritten } from './judge-written.ts';
import type { ArgumentContext, ArgumentOptions, JudgedCall } from './judged-call.ts';
import { groundOf } from './path-place.ts';
import { findingOf } from './rules.ts';
import { schemaMismatch, unlistedArgument } from './schema-mismatch.ts';

/** Effects whose texts an agent follows: another one, or this one later. */
const FOLLOWED: ReadonlySet<string> = new Set(['delegate', 'remember', 'schedule']);
const MAX_TEXTS = 500;
/** Bodies of at most this many characters carry no data: `{}`, `ok`. */
const LEAST_CARRIED = 2;

/**
 * Tier 1 for the arguments of any tool, by the roles its annotation gives them, never by names
 * [H2]. Pure and synchronous.
 *
 * @param annotation undefined for a tool without a description: always gives a finding [A3]
 * @returns every reason not to allow the call without asking, schema findings last; empty if none
 */
export function analyseArguments(
  call: JudgedCall,
  annotation: ToolAnnotation | undefined,
  options: ArgumentOptions,
): readonly Finding[] {
  const odd = oddStructure(call.args) ?? doubled(call.json);
  if (odd !== undefined) return findingOf('odd-structure', options.preset, odd);
  if (annotation === undefined) {
    return findingOf('unknown-tool', options.preset, 'would use a tool without a description');
  }
  const context: ArgumentContext = { call, annotation, options, outgoing: isOutgoing(call.args, annotation) };
  const findings = [
    ...Object.entries(call.args).flatMap(([name, value]) => judgeArgument(name, value, context)),
    ...judgeEffect(context),
    ...judgeUnseen(context),
    ...judgeNames(context),
  ];
  return distinct(findings);
}

function judgeNames({ call, annotation, options }: ArgumentContext): readonly Finding[] {
  const { inputSchema, preset } = options;
  const [rule, odd] =
    inputSchema === undefined
      ? (['unlisted-argument', unlistedArgument(call.args, annotation)] as const)
      : (['schema', schemaMismatch(call.args, inputSchema)] as const);
  return odd === undefined ? [] : findingOf(rule, preset, odd);
}

/** Reports a file that is created with content the call does not show: it can't be judged. */
function judgeUnseen({ call, annotation, options }: ArgumentContext): readonly Finding[] {
  const roles = new Set(Object.values(annotation.arguments));
  if (annotation.effect !== 'create' || !roles.has('path-write') || !roles.has('content')) return [];
  const given = Object.keys(call.args).map((name) => roleOf(name, annotation));
  if (!given.includes('path-write') || given.includes('content')) return [];
  return findingOf('unseen-content', options.preset, 'would fill a file with what the call does not show');
}

function doubled(json: string | undefined): string | undefined {
  const key = json === undefined ? undefined : doubledKey(json);
  return key === undefined ? undefined : `has the key ${JSON.stringify(key)} twice in one object`;
}

function judgeArgument(name: string, value: unknown, context: ArgumentContext): readonly Finding[] {
  const texts = textsOf(value);
  if (texts.length > MAX_TEXTS) {
    return findingOf('not-judged', context.options.preset, `has ${texts.length} texts in one argument`);
  }
  const role = roleOf(name, context.annotation);
  if (role === 'recipient') return judgeRecipients(texts, context);
  return texts.flatMap((text) => judgeText(text, role, context));
}

function judgeText(text: string, role: ArgumentRole, context: ArgumentContext): readonly Finding[] {
  const ground = groundOf(context.call.workingFolder, context.call.home);
  switch (role) {
    case 'path-read':
      return judgePath(text, 'read', ground, context);
    case 'path-write':
      return [...judgePath(text, 'write', ground, context), ...judgeFilling(text, context)];
    case 'path-delete':
      return judgePath(text, 'delete', ground, context);
    case 'command':
      return judgeCommand(text, context);
    case 'code':
      return judgeCode(text, context);
    case 'url':
      return judgeUrl(text, carriesContent(context), context);
    case 'host':
      return judgeHost(text, context);
    case 'task':
      return judgeInstructions(text, context);
    case 'content':
    case 'object':
    case 'query':
      return judgeContent(text, context);
    default:
      return [];
  }
}

function judgeContent(text: string, context: ArgumentContext): readonly Finding[] {
  if (FOLLOWED.has(context.annotation.effect)) return judgeInstructions(text, context);
  return context.outgoing ? judgeOutgoing(text, isMain(text, context), context) : [];
}

/** True for the longest text that the call carries. */
function isMain(text: string, { call, annotation }: ArgumentContext): boolean {
  const contents = Object.entries(call.args).filter(([name]) => roleOf(name, annotation) === 'content');
  return contents.flatMap(([, value]) => textsOf(value)).every((other) => other.length <= text.length);
}

/** Judges the content that the call writes into the file it names. */
function judgeFilling(path: string, context: ArgumentContext): readonly Finding[] {
  const { call, annotation } = context;
  const ground = groundOf(call.workingFolder, call.home);
  return Object.entries(call.args)
    .filter(([name]) => roleOf(name, annotation) === 'content')
    .flatMap(([, value]) => textsOf(value))
    .flatMap((content) => judgeWritten(path, content, ground, context));
}

function judgeCommand(text: string, { options }: ArgumentContext): readonly Finding[] {
  if (options.judgeCommand === undefined)
    return findingOf('not-judged', options.preset, 'carries a command that is not judged');
  return options.judgeCommand(text);
}

/**
 * Code of another interpreter is not parsed: word patterns find its effects, and a person sees it.
 */
function judgeCode(text: string, context: ArgumentContext): readonly Finding[] {
  return [
    ...judgeInstructions(text, context),
    ...findingOf('not-judged', context.options.preset, 'carries code that only its interpreter understands'),
  ];
}

function carriesContent({ call, annotation }: ArgumentContext): boolean {
  return Object.entries(call.args).some(
    ([name, value]) =>
      roleOf(name, annotation) === 'content' &&
      typeof value === 'string' &&
      value.trim().length > LEAST_CARRIED,
  );
}

function distinct(findings: readonly Finding[]): readonly Finding[] {
  const seen = new Set<string>();
  return findings.filter(({ rule, reason }) => {
    const key = `${rule} ${reason}`;
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}
