import { BulkheadError } from '@bulkhead/protocol';
import { AGENT_BOX_LIMITS, type Box, type NodeLimits, type ShellBox, WORKER_BOX_LIMITS } from './box.ts';

export interface LauncherRequest {
  readonly mode: 'run' | 'probe';
  readonly box: Box;
  /** Process id of the caller: the box dies with it. */
  readonly parent: number;
  /** Number of descriptors, from 0, that the program keeps. At least 3. */
  readonly descriptors: number;
  readonly cwd: string;
  /**
   * True gives an agent or worker its own name spaces. If the kernel refuses them, the launch
   * fails.
   */
  readonly nameSpaces?: boolean;
  /** Readable for agents and workers besides the box's own paths. */
  readonly runtimeFiles: readonly string[];
  /** Program and its arguments; empty for a probe. */
  readonly command: readonly string[];
  /** Further options, passed unchanged: the targets of a probe. */
  readonly extra?: readonly string[];
}

/**
 * The launcher's command line, without its own name. The form is documented in launcher/options.h.
 * @throws BulkheadError `usage` for a relative path, a NUL, or folders that contradict each other
 */
export function launcherArguments(request: LauncherRequest): string[] {
  const { box } = request;
  const options = ['--parent', String(request.parent), '--fds', String(request.descriptors)];
  if (box.kind === 'agent') {
    options.push(...paths('--read', [...request.runtimeFiles, ...box.read]));
    options.push(...nodeOptions(box.limits ?? AGENT_BOX_LIMITS, request.nameSpaces === true));
  } else if (box.kind === 'worker') {
    options.push(...paths('--read', [...request.runtimeFiles, ...box.read]));
    options.push(...paths('--write', box.write), ...paths('--execute', box.execute));
    options.push(...nodeOptions(box.limits ?? WORKER_BOX_LIMITS, request.nameSpaces === true));
  } else {
    options.push(...shellOptions(box, request.cwd));
    if (box.session !== undefined) options.push('--session', String(request.descriptors - 2));
  }
  const file = request.command[0];
  if (request.mode === 'run' && file !== undefined) absolute(file);
  const all = [request.mode, box.kind, ...options, ...(request.extra ?? []), '--', ...request.command];
  if (all.some((argument) => argument.includes('\0'))) {
    throw new BulkheadError('usage', 'An argument of a boxed program contains a NUL character');
  }
  return all;
}

/** Without its own name spaces, a process limit would count all processes of its user. */
function nodeOptions(limits: NodeLimits, nameSpaces: boolean): string[] {
  return [
    ...number('--max-data-bytes', limits.maxDataBytes),
    ...number('--max-open-files', limits.maxOpenFiles),
    ...(nameSpaces ? ['--name-spaces', ...number('--max-processes', limits.maxProcesses)] : []),
  ];
}

function shellOptions(box: ShellBox, cwd: string): string[] {
  if (box.workingFolder === '/' || box.workingFolder === box.home) {
    throw new BulkheadError('usage', `${box.workingFolder} cannot be the working folder of a box`, {
      fix: 'Choose a folder inside it, or another home for commands',
      details: { workingFolder: box.workingFolder, home: box.home },
    });
  }
  const { limits } = box;
  return [
    ...paths('--work', [box.workingFolder]),
    ...paths('--home', [box.home]),
    ...keptOptions(box),
    ...paths('--cwd', [cwd]),
    ...paths('--ro', box.readOnly),
    ...filled(box),
    ...paths('--read-only-within', within(box.protect, box.workingFolder)),
    ...neighbours(box),
    ...paths('--hide', hidden(box.hide, box)),
    ...paths('--deny', hidden(box.deny ?? [], box)),
    ...paths('--overlay', box.overlay === undefined ? [] : [outside(box.overlay, box.workingFolder)]),
    ...(box.overlay !== undefined && box.copy === true ? ['--copy'] : []),
    ...paths('--egress', box.egress === undefined ? [] : [box.egress]),
    ...(box.leave === true ? ['--leave'] : []),
    ...(box.background === true ? ['--background'] : []),
    ...number('--egress-number', box.egressNumber),
    ...number('--max-processes', limits.maxProcesses),
    ...number('--max-file-bytes', limits.maxFileBytes),
    ...number('--max-open-files', limits.maxOpenFiles),
    ...number('--max-cpu-seconds', limits.maxCpuSeconds),
    ...number('--max-data-bytes', limits.maxDataBytes),
    ...(box.overlay === undefined ? [] : number('--min-free-bytes', limits.minFreeBytes)),
  ];
}

function keptOptions({ kept }: ShellBox): string[] {
  return [
    ...paths('--home-from', kept?.home === undefined ? [] : [kept.home.from]),
    ...(kept?.home?.readOnly === true ? ['--home-read-only'] : []),
    ...paths('--temp-from', kept?.temp === undefined ? [] : [kept.temp]),
  ];
}

function neighbours({ neighbours: list = [] }: ShellBox): string[] {
  return list.flatMap(({ path, inode }) => ['--neighbour', `${inode}:${absolute(path)}`]);
}

function filled({ filled: files, workingFolder }: ShellBox): string[] {
  if (files === undefined || files.paths.length === 0) return [];
  const inside = within(files.paths, workingFolder).map((path, at) => `${at + 1}:${absolute(path)}`);
  return [
    ...paths('--ro', [files.from]),
    ...paths('--fill-from', [files.from]),
    ...inside.flatMap((one) => ['--fill', one]),
  ];
}

function hidden(list: readonly string[], { workingFolder, neighbours: others = [] }: ShellBox) {
  const isBeside = (path: string) => others.some((one) => path.startsWith(`${one.path}/`));
  within(
    list.filter((path) => !isBeside(path)),
    workingFolder,
  );
  return list;
}

function within(list: readonly string[], folder: string): readonly string[] {
  for (const path of list) {
    if (!path.startsWith(`${folder}/`)) {
      throw new BulkheadError('usage', `${path} does not lie inside ${folder}`);
    }
  }
  return list;
}

function outside(path: string, folder: string): string {
  if (path !== folder && !path.startsWith(`${folder}/`)) return path;
  throw new BulkheadError('usage', `The scratch folder ${path} lies inside the working folder ${folder}`);
}

function paths(option: string, list: readonly string[]): string[] {
  return list.flatMap((path) => [option, absolute(path)]);
}

function absolute(path: string): string {
  const parts = path.split('/');
  const plain = path === '/' || (parts[0] === '' && parts.slice(1).every(isName));
  if (!plain) throw new BulkheadError('usage', `Not an absolute, normalised path: ${JSON.stringify(path)}`);
  return path;
}

function isName(part: string): boolean {
  return part !== '' && part !== '.' && part !== '..';
}

function number(option: string, value: number | undefined): string[] {
  if (value === undefined) return [];
  if (!Number.isSafeInteger(value) || value < 1) {
    throw new BulkheadError('usage', `${option} takes a whole number of 1 or more, not ${value}`);
  }
  return [option, String(value)];
}
