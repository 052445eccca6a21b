import type { Secrecy, ToolAnnotation } from '@bulkhead/protocol';
import type { FlowPolicy } from '../annotations/flow-policy.ts';
import { labelOfBox } from './box-label.ts';
import { type ArgumentValue, type FlowCall, namedPaths, pathsOf, readPaths } from './call.ts';
import { CLEAN, joinLabels, type Label } from './label.ts';
import { joinOf, type LabelStore } from './label-store.ts';
import { labelOfSource } from './read-label.ts';
import type { Carried } from './secrecy-rule.ts';

/** Labels that persist after the session, kept by the engine. */
export interface FlowLabels {
  readonly files: LabelStore;
  /** By name of the store: `memory`, `clipboard`. */
  readonly stores: LabelStore;
}

/** Returns the stored label of data read now. A command may read anything below its folder. */
export function keptLabel(
  { files, stores }: FlowLabels,
  tool: ToolAnnotation,
  call: FlowCall,
  values: readonly ArgumentValue[],
): Label | undefined {
  const store = tool.store === undefined ? undefined : stores.get(tool.store);
  const folders = tool.effect === 'execute' ? [call.metadata?.workingFolder ?? '.'] : [];
  const paths = labelOfPaths(files, [...readPaths(call, values), ...folders]);
  return joinOf([store, labelOfBox({ stores }, tool, call), paths]);
}

/**
 * Returns the label of files that are read, with everything below them. A pattern (`docs/*.md`, or
 * `docs/…` for a name known only at run time) includes all paths with its known start; without a
 * known start it counts as its working folder.
 */
function labelOfPaths(files: LabelStore, paths: readonly string[]): Label | undefined {
  return joinOf(
    paths.map((path) => {
      const open = path.search(/[*…]/u);
      if (open === 0) return undefined;
      return open < 0 ? files.below(path) : files.beginning(path.slice(0, open));
    }),
  );
}

/**
 * Labels data that a call has written with the labels of its inputs: the files it read, and its
 * content [F2].
 * @param content label of the call's content; undefined if it carries none
 */
export function keepLabels(
  labels: FlowLabels,
  tool: ToolAnnotation,
  call: FlowCall,
  values: readonly ArgumentValue[],
  content: Label | undefined,
): void {
  if (tool.effect === 'read' || tool.effect === 'execute') return;
  if (content === undefined) passOn(labels.files, call, values);
  else writeContent(labels.files, tool, call, values, content);
  if (tool.store !== undefined && content !== undefined && needsLabel(content)) {
    labels.stores.set(tool.store, joinLabels(labels.stores.get(tool.store) ?? CLEAN, content));
  }
}

function writeContent(
  files: LabelStore,
  tool: ToolAnnotation,
  call: FlowCall,
  values: readonly ArgumentValue[],
  content: Label,
): void {
  const read = readPaths(call, values);
  for (const path of writtenPaths(call, values)) {
    const old = tool.effect === 'change' || read.includes(path) ? files.get(path) : undefined;
    const label = joinLabels(old ?? CLEAN, content);
    files.set(path, needsLabel(label) ? label : undefined);
  }
}

/** For copy, move, pack, unpack and delete: the label follows the data, and is removed with it. */
function passOn(files: LabelStore, call: FlowCall, values: readonly ArgumentValue[]): void {
  const gone = namedPaths(call, values, 'path-delete');
  const sources = [...gone, ...namedPaths(call, values, 'path-read')];
  const [only, ...more] = sources;
  if (only === undefined) return;
  const label = labelOfPaths(files, sources);
  for (const to of writtenPaths(call, values)) {
    if (sources.includes(to)) continue;
    if (more.length === 0 && gone.length === 0) files.copy(only, to);
    else if (more.length === 0) files.move(only, to);
    // A file under another name, or several merged: at least the join of all labels.
    if (label !== undefined) files.set(to, joinLabels(files.get(to) ?? CLEAN, label));
  }
  // Without the engine's facts a path is only text.
  if (call.metadata !== undefined) for (const path of gone) files.remove(path);
}

function writtenPaths(call: FlowCall, values: readonly ArgumentValue[]): readonly string[] {
  return pathsOf(call, values, 'write', 'path-write').filter(
    (path) => !namedPaths(call, values, 'path-delete').includes(path),
  );
}

/** True for labels that must be stored; the working folder's default label needs no entry. */
export function needsLabel({ secrecy, trust }: Label): boolean {
  return trust === 'external' || isSecret(secrecy);
}

/** Secret enough that outgoing data is searched for pieces of it. */
export function isSecret(secrecy: Secrecy): boolean {
  return secrecy === 'confidential' || secrecy === 'restricted' || secrecy === 'critical';
}

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
