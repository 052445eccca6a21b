import {
  type Action,
  type ActionPath,
  BulkheadError,
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
 * The arguments of a call as its tool accepts them.
 *
 * @throws BulkheadError `unknown_tool` or `invalid_arguments`, worded for the model
 */
export function parseArguments(
  proposal: Proposal,
  tool: ToolDescription | undefined,
  known: readonly string[],
): { readonly tool: ToolDescription; readonly args: Readonly<Record<string, unknown>> } {
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
  return { tool, args: tool.parse(parseJson(proposal.argumentsJson)) };
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
 * Builds the action from arguments that were parsed. What is judged, its facts too, is read out of the canonical bytes, so nothing
 * can be judged that they do not say (FR4). Frozen: later stages can't change what was judged.
 */
export function buildAction(
  proposal: Proposal,
  tool: ToolDescription,
  parsed: Readonly<Record<string, unknown>>,
  stamp: { readonly id: string; readonly time: number },
): Action {
  const form = canonicalForm(tool.name, parsed);
  const args = argumentsIn(form.canonical, Object.keys(parsed));
  const command = tool.command?.(args);
  const hosts = tool.hosts?.(args);
  return deepFreeze({
    id: stamp.id,
    sessionId: proposal.sessionId,
    runId: proposal.runId,
    callId: proposal.callId,
    tool: tool.name,
    arguments: args,
    ...form,
    time: new Date(stamp.time).toISOString(),
    metadata: {
      workingFolder: proposal.workingFolder,
      paths: tool.paths(args).map((path) => actionPath(proposal.workingFolder, path)),
      ...(command === undefined ? {} : { command }),
      ...(hosts === undefined || hosts.length === 0 ? {} : { hosts }),
      ...(tool.background?.(args) === true ? { background: true as const } : {}),
      group: tool.group,
      effect: tool.effectOf?.(args) ?? tool.effect,
    },
  });
}

/**
 * @param order whose keys come first: a person is shown them as the tool names them
 * @throws BulkheadError `invalid_arguments` if the bytes hold none
 */
function argumentsIn(canonical: string, order: readonly string[]): Readonly<Record<string, unknown>> {
  const action: unknown = JSON.parse(canonical);
  const args =
    typeof action === 'object' && action !== null && 'arguments' in action ? action.arguments : null;
  if (typeof args !== 'object' || args === null)
    throw new BulkheadError('invalid_arguments', 'the arguments have no JSON form');
  const said = new Map(Object.entries(args));
  const named = order.filter((name) => said.has(name));
  return Object.fromEntries([...new Set([...named, ...said.keys()])].map((name) => [name, said.get(name)]));
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
