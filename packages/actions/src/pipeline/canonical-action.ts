import {
  type AcceptedCall,
  type Action,
  type ActionPath,
  BulkheadError,
  type Origin,
  type ParsedCall,
  type ToolDescription,
  type ToolPath,
} from '@bulkhead/protocol';
import canonicalize from 'canonicalize';
import { type Given, someOf } from '../grants/given.ts';
import { textDigest } from './text-digest.ts';
import { whereItLeads } from './where-it-leads.ts';

/** Longest argument text accepted from a model, in characters. */
const MAX_ARGUMENT_CHARACTERS = 4 * 1024 * 1024;

/** A call as it reached the engine. The connection, not the call, identifies its sender. */
export interface Proposal {
  readonly sessionId: string;
  readonly runId: string;
  readonly callId: string;
  readonly tool: string;
  /** False if the session has not loaded the tool's group: the tool may not be called yet. */
  readonly loaded: boolean;
  /** The text of the model: it may not parse. */
  readonly argumentsJson: string;
  /** Of the session, absolute. */
  readonly workingFolder: string;
  /** Of the message that started the run; absent where it is unknown. */
  readonly origin?: Origin;
}

/**
 * A call as its tool accepts it. Arguments are parsed only here.
 *
 * @throws BulkheadError `unknown_tool` or `invalid_arguments`, worded for the model
 */
export function parseCall(
  proposal: Proposal,
  tool: ToolDescription | undefined,
  known: readonly string[],
): { readonly tool: ToolDescription; readonly parsed: ParsedCall } {
  if (tool === undefined) {
    throw new BulkheadError(
      'unknown_tool',
      `there is no tool "${proposal.tool}". Known: ${known.join(', ')}`,
    );
  }
  if (!proposal.loaded) {
    throw new BulkheadError(
      'unknown_tool',
      `"${tool.name}" is not loaded: load its group ${tool.group} with load_tools`,
    );
  }
  if (proposal.argumentsJson.length > MAX_ARGUMENT_CHARACTERS) {
    throw new BulkheadError(
      'invalid_arguments',
      `the arguments are longer than ${MAX_ARGUMENT_CHARACTERS} characters`,
    );
  }
  return { tool, parsed: tool.parse(parseJson(proposal.argumentsJson)) };
}

function parseJson(text: string): unknown {
  if (text.trim() === '') return {};
  try {
    return JSON.parse(text);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new BulkheadError('invalid_arguments', `the arguments are not JSON: ${reason}`, { cause });
  }
}

/**
 * RFC 8785 text of a call, and its SHA-256: all later steps are bound to these bytes (FR4).
 *
 * @param given by persons, besides what the call names
 */
export function canonicalForm(
  tool: string,
  args: unknown,
  given: Given = {},
): { readonly canonical: string; readonly hash: string } {
  const canonical = canonicalText({ arguments: args, ...someOf(given), tool });
  return { canonical, hash: textDigest(canonical) };
}

/** @throws BulkheadError `invalid_arguments` for values that JSON cannot represent */
export function canonicalText(value: unknown): string {
  const text = canonicalize(value);
  if (text === undefined) throw new BulkheadError('invalid_arguments', 'the arguments have no JSON form');
  return text;
}

/**
 * Builds the action from a parsed call. Its facts come from the parsed arguments, and the canonical
 * bytes must contain exactly these arguments: a difference is refused, so every judged fact is in
 * the bytes (FR4). Frozen: later stages cannot change the judged action.
 *
 * @param given by persons, besides what the call names
 * @throws BulkheadError `invalid_arguments` for arguments that are no plain JSON
 */
export function buildAction(
  proposal: Omit<Proposal, 'loaded' | 'argumentsJson'>,
  tool: Pick<ToolDescription, 'name' | 'group' | 'card'>,
  parsed: ParsedCall,
  stamp: { readonly id: string; readonly time: number },
  given: Given = {},
): AcceptedCall {
  deepFreeze(parsed.arguments);
  Object.freeze(parsed);
  const form = canonicalForm(tool.name, parsed.arguments, given);
  const { command, hosts, background, live, effect } = parsed;
  const accepted = {
    id: stamp.id,
    sessionId: proposal.sessionId,
    runId: proposal.runId,
    callId: proposal.callId,
    tool: tool.name,
    arguments: argumentsIn(form.canonical, parsed.arguments),
    ...form,
    time: new Date(stamp.time).toISOString(),
    ...(proposal.origin === undefined ? {} : { origin: proposal.origin }),
    metadata: {
      workingFolder: proposal.workingFolder,
      paths: pathsOf(parsed, proposal.workingFolder),
      ...(command === undefined ? {} : { command }),
      ...(hosts === undefined || hosts.length === 0 ? {} : { hosts }),
      ...(background === true ? { background } : {}),
      ...(live === true ? { live } : {}),
      ...someOf(given),
      group: tool.group,
      effect,
    },
  };
  const { card } = tool;
  return Object.freeze({ ...deepFreeze(accepted), parsed, ...(card === undefined ? {} : { card }) });
}

/** The present targets of the paths that a call names, links followed. */
export function pathsOf({ paths }: ParsedCall, workingFolder: string): readonly ActionPath[] {
  return paths.map((path) => actionPath(workingFolder, path));
}

/**
 * Reads the arguments from the bytes, in the tool's order of names, to show them to a person.
 *
 * @throws BulkheadError `invalid_arguments` if the bytes differ from the parsed arguments
 */
function argumentsIn(canonical: string, parsed: ParsedCall['arguments']): ParsedCall['arguments'] {
  const action: unknown = JSON.parse(canonical);
  const args =
    typeof action === 'object' && action !== null && 'arguments' in action ? action.arguments : undefined;
  if (typeof args !== 'object' || args === null || !saysTheSame(parsed, args)) {
    throw new BulkheadError('invalid_arguments', 'the arguments have no JSON form');
  }
  const said = new Map(Object.entries(args));
  return Object.fromEntries(Object.keys(parsed).map((name) => [name, said.get(name)]));
}

/** True if a value is plain data, and its JSON contains all of it. */
function saysTheSame(value: unknown, json: unknown): boolean {
  if (typeof value !== 'object' || value === null || typeof json !== 'object' || json === null) {
    return value === json;
  }
  if (Array.isArray(value) !== Array.isArray(json)) return false;
  const members = Object.entries(Object.getOwnPropertyDescriptors(value)).filter(
    ([name]) => !Array.isArray(value) || name !== 'length',
  );
  const said = new Map(Object.entries(json));
  return (
    said.size === members.length &&
    members.every(
      ([name, member]) => said.has(name) && 'value' in member && saysTheSame(member.value, said.get(name)),
    )
  );
}

function actionPath(workingFolder: string, { path: named, access }: ToolPath): ActionPath {
  const path = whereItLeads(workingFolder, named);
  const names = named.split('/').filter((name) => name !== '' && name !== '.');
  const plain = `${named.startsWith('/') ? '' : workingFolder}/${names.join('/')}`;
  return plain === path ? { path, access } : { path, named, access };
}

/**
 * Represents a call that never became an action, so that its refusal is recorded like any other.
 */
export function refusedAction(
  proposal: Proposal,
  stamp: { readonly id: string; readonly time: number },
): Action {
  const args = { unparsed: proposal.argumentsJson.slice(0, MAX_ARGUMENT_CHARACTERS) };
  return deepFreeze({
    id: stamp.id,
    sessionId: proposal.sessionId,
    runId: proposal.runId,
    callId: proposal.callId,
    tool: proposal.tool,
    arguments: args,
    ...canonicalForm(proposal.tool, args),
    time: new Date(stamp.time).toISOString(),
    ...(proposal.origin === undefined ? {} : { origin: proposal.origin }),
    metadata: { workingFolder: proposal.workingFolder, paths: [], group: '', effect: 'once' as const },
  });
}

function deepFreeze<Value>(value: Value): Value {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const inner of Object.values(value)) deepFreeze(inner);
  }
  return value;
}
