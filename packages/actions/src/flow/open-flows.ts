import { lstatSync } from 'node:fs';
import { walkFolder } from '@bulkhead/processes/boxes/walk-folder';
import type { Action, Clock, ToolDescription } from '@bulkhead/protocol';
import type { SessionStore } from '@bulkhead/sessions';
import { createFlow, type Flow, type FlowCall, type FlowPolicy, type FlowRule } from '@bulkhead/shield';
import { buildAction } from '../pipeline/canonical-action.ts';
import type { ActionFacts } from '../pipeline/stages.ts';
import { BoxLabels, type BoxUses } from './box-labels.ts';
import type { LabelTables } from './label-tables.ts';
import { ReplayLabels } from './replay-labels.ts';
import { SessionFlows } from './session-flows.ts';

/**
 * Connects policy, labels and the sessions' logs. @param parts.tables must stay open while the
 * flows are used
 */
export function openFlows(parts: {
  /** The policy in force. */
  policy(): FlowPolicy;
  /** All rules, if absent. */
  readonly rules?: readonly FlowRule[];
  readonly tables: LabelTables;
  readonly store: Pick<SessionStore, 'records' | 'lastPos' | 'getSession'>;
  readonly tools: { get(name: string): ToolDescription | undefined };
  readonly readsOf: CommandReads;
  readonly clock: Pick<Clock, 'now'>;
  /** Absent, every command may have written to its private home, and leaves nothing running. */
  readonly boxUses?: BoxUses;
}) {
  const { tables: kept, store, tools, readsOf, clock, rules } = parts;
  const { boxUses = { left: () => undefined, changedBy: () => Promise.resolve(true) } } = parts;
  let made: { readonly policy: FlowPolicy; readonly flow: Flow } | undefined;
  const labels = {
    files: kept.of('file'),
    stores: kept.of('store'),
    sessions: kept.of('session'),
  };
  const replayed = new ReplayLabels(labels, kept);
  const boxes = new BoxLabels(labels.stores, boxUses);
  const flows = new SessionFlows({
    flow: () => {
      const policy = parts.policy();
      if (made?.policy !== policy) made = { policy, flow: createFlow(policy.tools, policy, replayed, rules) };
      return made.flow;
    },
    labels: replayed,
    tables: { ...kept, boxes },
    clock,
    changedSince,
    store,
    sessions: labels.sessions,
    factsOf: (action) => factsOf(action, readsOf),
    derive: (call, workingFolder) => callFacts(tools, call, workingFolder, readsOf),
  });
  return { flows, labels, boxes };
}

/** Absolute paths of the files that the command of an action reads; none if it is no command. */
type CommandReads = (action: Pick<Action, 'metadata'>) => readonly string[];

/**
 * Current paths (links followed) and hosts of a recorded call without facts. Undefined if its tool
 * does not accept the call (any more): flow is stricter then.
 */
function callFacts(
  tools: { get(name: string): ToolDescription | undefined },
  call: FlowCall,
  workingFolder: string,
  readsOf: CommandReads,
): FlowCall['metadata'] {
  const tool = tools.get(call.tool);
  if (tool === undefined) return undefined;
  try {
    const proposal = { sessionId: '', runId: '', callId: '', tool: call.tool, workingFolder };
    return factsOf(buildAction(proposal, tool, tool.parse(call.arguments), { id: '', time: 0 }), readsOf);
  } catch {
    return undefined;
  }
}

/**
 * The paths and hosts of an action. Files that its command reads count as read by a tool: otherwise
 * `cat` would remove the labels that `read` keeps.
 */
function factsOf(action: Pick<Action, 'id' | 'metadata'>, readsOf: CommandReads): ActionFacts {
  const { id, metadata } = action;
  const { workingFolder, paths, hosts = [], granted, secretFiles = [] } = metadata;
  const secret = secretFiles.map((name) => `${workingFolder}/${name}`);
  const read = [...new Set([...readsOf(action), ...secret])].map((path) => ({
    path,
    access: 'read' as const,
  }));
  return {
    action: id,
    workingFolder,
    paths: [...paths, ...read],
    hosts,
    ...(granted === undefined ? {} : { granted }),
    ...(secret.length === 0 ? {} : { secretFiles }),
  };
}

/** Maximum of names to inspect; in a larger folder, everything counts as changed. */
const MAX_ENTRIES = 100_000;

/** The kernel uses the time of its last tick for files. In milliseconds, with a wide margin. */
const TICK_MS = 1_000;

/**
 * Finds the changes below a folder since a time, by the change time of the system, which cannot be
 * set back without setting the clock. A moved folder counts with its content. Once a known file is
 * missing, every changed folder also counts, because the file may be in any of them.
 *
 * @param since milliseconds since the epoch
 * @param known absolute paths that existed below the folder
 * @returns absolute paths; undefined if unknown, so that the whole folder counts
 */
async function changedSince(
  folder: string,
  since: number,
  known: readonly string[],
): Promise<readonly string[] | undefined> {
  const changed: string[] = [];
  const folders: string[] = [];
  const isWhole = await walkFolder(
    folder,
    ({ names, kind }) => {
      const path = [folder, ...names].join('/');
      const times = timesOf(path);
      if (times === undefined || times.changed < since - TICK_MS) return true;
      if (kind !== 'folder' || times.modified < since - TICK_MS) changed.push(path);
      else folders.push(path);
      return true;
    },
    MAX_ENTRIES,
  );
  if (!isWhole) return undefined;
  const isAnyGone = known.some((path) => timesOf(path) === undefined);
  return isAnyGone ? [...changed, ...folders] : changed;
}

/** Undefined for a missing file. A file that cannot be inspected counts as changed. */
function timesOf(path: string): { readonly changed: number; readonly modified: number } | undefined {
  try {
    const stat = lstatSync(path, { throwIfNoEntry: false });
    return stat && { changed: stat.ctimeMs, modified: stat.mtimeMs };
  } catch {
    return { changed: Number.POSITIVE_INFINITY, modified: 0 };
  }
}
