import type { TracedAction } from './traced-actions.ts';
import type { TracedCall } from './traced-calls.ts';
import { effectsOf, type TracedEffect } from './traced-effects.ts';
import { type TracedProcess, TracedProcesses } from './traced-processes.ts';

/** Places where effects need no action, and places where they do. */
export interface MediatedPlaces {
  /** The working folder. */
  readonly folder: string;
  /** Folders that only the engine's own processes change: its home, and the cache of its Node. */
  readonly own: readonly string[];
  /** Programs that are the product's own. */
  readonly programs: readonly string[];
  /** Addresses the engine itself talks to: the model. */
  readonly models: readonly string[];
}

export interface Mediation {
  /** Effects that belong to no action, or to more than one, or that came before its `STARTED` or after its end; empty if all is well. */
  readonly problems: readonly string[];
  /** Effects that were found to be of an action, by its id. */
  readonly effects: ReadonlyMap<string, readonly TracedEffect[]>;
}

/** Holds every effect of every process against the actions that were announced [FG2]. */
export function mediation(
  calls: readonly TracedCall[],
  actions: ReadonlyMap<string, TracedAction>,
  places: MediatedPlaces,
): Mediation {
  const processes = new TracedProcesses(calls.toSorted(byBegin)[0]?.pid ?? 0);
  const problems: string[] = [];
  const effects = new Map<string, TracedEffect[]>();
  const judge = (call: TracedCall): void => {
    const process = processes.of(call.pid);
    for (const effect of effectsOf(call, (fd) => process.descriptors.get(fd))) {
      const owners = ownersOf(effect, process, [...actions.values()], places);
      if (owners === 'private') continue;
      const [owner, ...more] = owners;
      if (owner === undefined || more.length > 0) problems.push(described(effect, process, owners));
      else effects.set(owner.id, [...(effects.get(owner.id) ?? []), effect]);
    }
    if (call.name === 'io_uring_setup' && isExecutor(process) && /^\d/.test(call.result))
      problems.push(`${process.role} ${call.pid}: what a ring does is not seen`);
  };
  for (const step of inOrder(calls)) {
    if (step.at === 'begun') processes.begun(step.call);
    else {
      judge(step.call);
      processes.ended(step.call);
    }
  }
  return { problems, effects };
}

const byBegin = (a: TracedCall, b: TracedCall) => a.begun - b.begun;

function inOrder(calls: readonly TracedCall[]) {
  const begun = calls.map((call) => ({ at: 'begun' as const, line: call.begun, call }));
  const ended = calls.map((call) => ({ at: 'ended' as const, line: call.ended, call }));
  return [...begun, ...ended].toSorted((a, b) => a.line - b.line || (a.at === 'begun' ? -1 : 1));
}

/** A process in a box that carries out actions: after the launcher has built the box. */
function isExecutor({ role, boxed, built }: TracedProcess): boolean {
  return boxed && built && (role === 'worker' || role === 'command' || role === 'held' || role === 'agent');
}

/** @returns the actions an effect is of, or that it touches only what is its process's own */
function ownersOf(
  effect: TracedEffect,
  process: TracedProcess,
  actions: readonly TracedAction[],
  places: MediatedPlaces,
): readonly TracedAction[] | 'private' {
  if (isPrivate(effect, process, places)) return 'private';
  const { begun, ended } = effect.call;
  if (process.role === 'live') return startedBy(process.started, actions);
  // In its box it changes a view of the folder, as the action that began it.
  if (process.role === 'held' && process.boxed)
    return startedBy(process.started, actions).filter(({ id }) => id === process.action);
  const open = actions.filter((action) => action.started < begun && ended < action.ended);
  if (process.role === 'held') return open.filter(({ continues }) => continues === process.action);
  if (process.role === 'command') return open.filter(({ id }) => id === process.action);
  if (effect.kind === 'exec') return process.role === 'worker' ? searching(open, effect, places) : [];
  if (effect.kind === 'connect')
    return process.role === 'own'
      ? open.filter(({ hosts }) => hosts.some((host) => effect.target.startsWith(`${host}:`)))
      : [];
  if (process.role === 'own' && isPlaceholder(effect, places)) return placeholderOf(effect, actions);
  return process.role === 'worker'
    ? open.filter(({ writes }) => writes.some((path) => serves(effect.target, path)))
    : [];
}

/** An empty folder that the engine puts where a live command must make nothing, and takes away again. */
function isPlaceholder({ target, call }: TracedEffect, { folder }: MediatedPlaces): boolean {
  return /^(mk|rm)dir$/.test(call.name) && [`${folder}/.git`, `${folder}/.bulkhead`].includes(target);
}

/** Made for the command that is to begin, and removed when the last one has ended. */
function placeholderOf({ call }: TracedEffect, actions: readonly TracedAction[]): readonly TracedAction[] {
  const begun = actions.filter(({ tool, started }) => tool === 'bash' && started < call.begun);
  return call.name === 'mkdir' ? begun.filter(({ ended }) => call.ended < ended) : begun.slice(0, 1);
}

/**
 * The command that was due to begin when its box was started. Background processes belong to it as
 * long as they live.
 */
function startedBy(line: number, actions: readonly TracedAction[]): readonly TracedAction[] {
  return actions.filter(({ tool, started, ended }) => tool === 'bash' && started < line && line < ended);
}

/** A file tool may start the one search program, and only for an action that searches. Several may at once. */
function searching(open: readonly TracedAction[], { target }: TracedEffect, places: MediatedPlaces) {
  const finds = places.programs.includes(target) ? open.filter(({ tool }) => /^(grep|find)$/.test(tool)) : [];
  return finds.slice(0, 1);
}

/** To write a file is to change it, to make a folder it lies in, or a new content beside it that takes its place. */
function serves(changed: string, written: string): boolean {
  const folder = written.slice(0, written.lastIndexOf('/'));
  const isNew = /^\/\.bulkhead-[\w-]{1,64}\.tmp$/.test(changed.slice(folder.length));
  return (
    changed === written || written.startsWith(`${changed}/`) || (changed.startsWith(`${folder}/`) && isNew)
  );
}

function isPrivate(effect: TracedEffect, process: TracedProcess, places: MediatedPlaces): boolean {
  if (effect.kind === 'file') return isPrivateFile(effect, process, places);
  if (effect.kind === 'exec') return isPrivateProgram(effect, process, places);
  const { target } = effect;
  if (process.role === 'own') return places.models.includes(target) || isUnixOf(target, places);
  return process.role === 'probe' && (target.startsWith('127.0.0.1:') || isUnixOf(target, places));
}

function isUnixOf(target: string, { own }: MediatedPlaces): boolean {
  return (
    target.startsWith('unix:@bulkhead-probe-') || own.some((place) => target.startsWith(`unix:${place}/`))
  );
}

function isPrivateFile(
  { target, call }: TracedEffect,
  process: TracedProcess,
  places: MediatedPlaces,
): boolean {
  const { role, boxed, built } = process;
  // The launcher makes the place where the folder will be mounted.
  const isMountPoint = boxed && !built && call.name === 'mkdirat' && target === places.folder;
  if (isMountPoint) return true;
  if (isBelow(target, places.folder) || target.startsWith('?')) return role === 'trial' && boxed;
  // A box's own file system; that nothing else of the machine is in it is for the attacks to show.
  if (boxed) return true;
  return (
    isBelow(target, '/proc') || isBelow(target, '/dev') || places.own.some((place) => isBelow(target, place))
  );
}

function isPrivateProgram({ target }: TracedEffect, process: TracedProcess, places: MediatedPlaces): boolean {
  const { role, boxed, built } = process;
  if (role === 'own' || (boxed && !built && (role === 'agent' || role === 'worker')))
    return places.programs.includes(target);
  if (role === 'probe')
    return places.programs.includes(target) || places.own.some((place) => isBelow(target, place));
  return role === 'trial' && boxed && /\/(bash|mkdir|rmdir)$/.test(target);
}

function isBelow(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`);
}

function described(
  { kind, target, call }: TracedEffect,
  process: TracedProcess,
  owners: readonly TracedAction[],
) {
  const who = `${process.role}${process.boxed ? '' : ' outside'} ${call.pid}`;
  const whose = owners.length === 0 ? 'no action' : owners.map(({ id }) => id).join(' and ');
  return `${who}: ${kind} ${target} by ${call.name} on line ${call.ended + 1}: of ${whose}`;
}
