import {
  type AcceptedCall,
  type Action,
  type ActionPath,
  BulkheadError,
  type ParsedCall,
  type ToolDescription,
  type ToolPath,
} from '@bulkhead/protocol';
import canonicalize from 'canonicalize';
import { textDigest } from './text-digest.ts';
import { whereItLeads } from './where-it-leads.ts';

/** Longest argument text accepted from a model, in characters. */
const MAX_ARGUMENT_CHARACTERS = 4 * 1024 * 1024;

/** A call as it reached the engine. Who it comes from is the connection's business, not the call's. */
export interface Proposal {
  readonly sessionId: string;
  readonly runId: string;
  readonly callId: string;
  readonly tool: string;
  /** False for a tool whose group the session has not loaded: it may not be called yet. */
  readonly loaded: boolean;
  /** As the model wrote it: it may not parse. */
  readonly argumentsJson: string;
  /** The session's, absolute. */
  readonly workingFolder: string;
}

/**
 * A call as its tool accepts it: the one place where arguments are parsed.
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

/** RFC 8785 text of what a call would do, and its SHA-256: the bytes everything else is bound to (FR4). */
export function canonicalForm(
  tool: string,
  args: unknown,
): { readonly canonical: string; readonly hash: string } {
  const canonical = canonicalText({ arguments: args, tool });
  return { canonical, hash: textDigest(canonical) };
}

/** @throws BulkheadError `invalid_arguments` for values JSON can't carry */
export function canonicalText(value: unknown): string {
  const text = canonicalize(value);
  if (text === undefined) throw new BulkheadError('invalid_arguments', 'the arguments have no JSON form');
  return text;
}

/**
 * Builds the action from a call that was parsed. Its facts follow from the parsed arguments, and the canonical bytes say just these
 * arguments: anything else is refused, so nothing can be judged that the bytes do not say (FR4). Frozen: later stages can't change
 * what was judged.
 *
 * @throws BulkheadError `invalid_arguments` for arguments that are no plain JSON
 */
export function buildAction(
  proposal: Omit<Proposal, 'loaded' | 'argumentsJson'>,
  tool: Pick<ToolDescription, 'name' | 'group' | 'card'>,
  parsed: ParsedCall,
  stamp: { readonly id: string; readonly time: number },
): AcceptedCall {
  deepFreeze(parsed.arguments);
  Object.freeze(parsed);
  const form = canonicalForm(tool.name, parsed.arguments);
  const { command, hosts, background, effect } = parsed;
  const accepted = {
    id: stamp.id,
    sessionId: proposal.sessionId,
    runId: proposal.runId,
    callId: proposal.callId,
    tool: tool.name,
    arguments: argumentsIn(form.canonical, parsed.arguments),
    ...form,
    time: new Date(stamp.time).toISOString(),
    metadata: {
      workingFolder: proposal.workingFolder,
      paths: pathsOf(parsed, proposal.workingFolder),
      ...(command === undefined ? {} : { command }),
      ...(hosts === undefined || hosts.length === 0 ? {} : { hosts }),
      ...(background === true ? { background } : {}),
      group: tool.group,
      effect,
    },
  };
  const { card } = tool;
  return Object.freeze({ ...deepFreeze(accepted), parsed, ...(card === undefined ? {} : { card }) });
}

/** Where the paths that a call names lead now, links followed. */
export function pathsOf({ paths }: ParsedCall, workingFolder: string): readonly ActionPath[] {
  return paths.map((path) => actionPath(workingFolder, path));
}

/**
 * The arguments read out of the bytes, in the order in which the tool names them: a person is shown them so.
 *
 * @throws BulkheadError `invalid_arguments` if the bytes say anything but the parsed arguments
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

/** True if a value is plain data, and JSON that was made of it says all of it. */
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

/** Stands for a call that never became an action, so that its refusal can be recorded like any other. */
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
