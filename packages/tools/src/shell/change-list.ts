import { shownName } from '@bulkhead/files';
import type { EffectCounts, ObservedChange } from '@bulkhead/protocol';

/** Number of changes by kind. A metadata change or a replaced object counts as changed. */
export function countChanges(changes: readonly ObservedChange[]): Omit<EffectCounts, 'kept'> {
  const counts = { created: 0, changed: 0, deleted: 0 };
  for (const { what } of changes) {
    if (what === 'created' || what === 'deleted') counts[what] += 1;
    else counts.changed += 1;
  }
  return counts;
}

/** `2 created, 1 deleted`, or `nothing`. */
export function countText(counts: Omit<EffectCounts, 'kept'>): string {
  const parts = (['created', 'changed', 'deleted'] as const).flatMap((what) =>
    counts[what] === 0 ? [] : [`${counts[what]} ${what}`],
  );
  return parts.length === 0 ? 'nothing' : parts.join(', ');
}

/**
 * Changes for people and models, one per line, names escaped. The content of a folder created or
 * deleted as a whole is only counted.
 *
 * @param most lines; one more line counts the rest
 */
export function changeLines(changes: readonly ObservedChange[], most: number): readonly string[] {
  const whole = wholeFolders(changes);
  const shown = changes
    .filter((change) => folderOf(change, whole) === undefined)
    .toSorted((a, b) => Buffer.compare(a.path, b.path));
  const lines = shown
    .slice(0, most)
    .map((change) => lineOf(change, whole.get(keyOf(change.path))?.inside ?? 0));
  return shown.length > most ? [...lines, `… and ${shown.length - most} more`] : lines;
}

const MARKS: Readonly<Record<ObservedChange['what'], string>> = {
  created: '+',
  changed: '~',
  metadata: '~',
  deleted: '-',
  replaced: '~',
};

function lineOf(change: ObservedChange, inside: number): string {
  const isFolder = (change.what === 'deleted' ? change.was : change.kind) === 'folder';
  const name = `${shownName(change.path)}${isFolder ? '/' : ''}`;
  const facts = [...factsOf(change), ...(inside === 0 ? [] : [`${inside} inside`])];
  return `${MARKS[change.what]} ${name}${facts.length === 0 ? '' : ` (${facts.join(', ')})`}`;
}

function factsOf({ what, kind, was, mode, wasMode, owners, target }: ObservedChange): string[] {
  const facts: string[] = [];
  if (what === 'replaced' && kind !== was) facts.push(`was a ${was}`);
  if (target !== undefined) facts.push(`link to ${shownName(target)}`);
  if (owners !== undefined) facts.push(`owner ${owners.was} to ${owners.now}`);
  if (what === 'metadata' && mode !== wasMode) facts.push(`mode ${octal(wasMode)} to ${octal(mode)}`);
  else if (what === 'metadata' && owners === undefined) facts.push('times');
  else if (kind === 'file' && (mode & 0o111) !== 0 && (wasMode & 0o111) === 0) facts.push('executable');
  return facts;
}

function octal(mode: number): string {
  return mode.toString(8).padStart(3, '0');
}

interface WholeFolder {
  readonly what: ObservedChange['what'];
  inside: number;
}

/** Folders that were created or deleted as a whole, with the number of entries in them. */
function wholeFolders(changes: readonly ObservedChange[]): Map<string, WholeFolder> {
  const folders = new Map<string, WholeFolder>();
  for (const { what, kind, was, path } of changes) {
    const made = what === 'created' && kind === 'folder';
    if (made || (what === 'deleted' && was === 'folder')) folders.set(keyOf(path), { what, inside: 0 });
  }
  if (folders.size === 0) return folders;
  for (const change of changes) {
    const folder = folderOf(change, folders);
    if (folder !== undefined) folder.inside += 1;
  }
  return folders;
}

/** The outermost folder that was created or deleted with a change. */
function folderOf(
  { path, what }: ObservedChange,
  folders: ReadonlyMap<string, WholeFolder>,
): WholeFolder | undefined {
  if (folders.size === 0) return undefined;
  const key = keyOf(path);
  for (let end = key.indexOf('/'); end >= 0; end = key.indexOf('/', end + 1)) {
    const folder = folders.get(key.slice(0, end));
    if (folder?.what === what) return folder;
  }
  return undefined;
}

/** One character per byte, so names that are not valid UTF-8 stay distinct. */
function keyOf(path: Uint8Array): string {
  return Buffer.from(path).toString('latin1');
}
