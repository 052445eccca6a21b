import type { BoxKind } from './attempt.ts';

/** A removable wall, and its boxes. */
export interface Wall {
  readonly name: string;
  /** Its name in `attack/without.h`. */
  readonly define: string;
  readonly boxes: readonly BoxKind[];
  /** Boxes that have it only together with name spaces. */
  readonly withSpaces?: readonly BoxKind[];
  /** True if name spaces give the same protection. */
  readonly bareOnly?: true;
  /** Only root has the rights that it removes. */
  readonly rootOnly?: true;
}

const all: readonly BoxKind[] = ['agent', 'worker', 'shell'];
const node: readonly BoxKind[] = ['agent', 'worker'];
const shell: readonly BoxKind[] = ['shell'];

/** Every wall that a system call creates, in all boxes. */
export const walls: readonly Wall[] = [
  { name: 'descriptors', define: 'WITHOUT_DESCRIPTORS', boxes: all },
  { name: 'parent-death', define: 'WITHOUT_PARENT_DEATH', boxes: all },
  { name: 'session', define: 'WITHOUT_SESSION', boxes: all },
  { name: 'no-new-privileges', define: 'WITHOUT_NEW_PRIVILEGES', boxes: all },
  { name: 'capabilities', define: 'WITHOUT_CAPABILITIES', boxes: all, rootOnly: true },
  { name: 'capability-bounds', define: 'WITHOUT_CAPABILITY_BOUNDS', boxes: all, rootOnly: true },
  { name: 'landlock', define: 'WITHOUT_LANDLOCK', boxes: node },
  { name: 'landlock-scope', define: 'WITHOUT_LANDLOCK_SCOPE', boxes: ['worker'], bareOnly: true },
  { name: 'filter', define: 'WITHOUT_FILTER', boxes: all },
  { name: 'foreign-tables', define: 'WITHOUT_FOREIGN_TABLES', boxes: all },
  { name: 'hidden-init', define: 'WITHOUT_HIDDEN_INIT', boxes: shell },
  { name: 'core-limit', define: 'WITHOUT_CORE_LIMIT', boxes: all },
  { name: 'open-file-limit', define: 'WITHOUT_OPEN_FILE_LIMIT', boxes: all },
  { name: 'process-limit', define: 'WITHOUT_PROCESS_LIMIT', boxes: shell, withSpaces: node },
  { name: 'memory-limit', define: 'WITHOUT_MEMORY_LIMIT', boxes: node },
  { name: 'file-size-limit', define: 'WITHOUT_FILE_SIZE_LIMIT', boxes: shell },
  { name: 'user-space', define: 'WITHOUT_USER_SPACE', boxes: shell, withSpaces: node, rootOnly: true },
  { name: 'mounts', define: 'WITHOUT_MOUNTS', boxes: shell, withSpaces: node },
  { name: 'process-space', define: 'WITHOUT_PROCESS_SPACE', boxes: shell, withSpaces: node },
  { name: 'network-space', define: 'WITHOUT_NETWORK_SPACE', boxes: shell, withSpaces: node },
  { name: 'ipc-space', define: 'WITHOUT_IPC_SPACE', boxes: shell, withSpaces: node },
  { name: 'host-space', define: 'WITHOUT_HOST_SPACE', boxes: shell, withSpaces: node },
  { name: 'read-only', define: 'WITHOUT_READ_ONLY', boxes: shell, withSpaces: node },
  { name: 'mount-flags', define: 'WITHOUT_MOUNT_FLAGS', boxes: shell, withSpaces: node },
  { name: 'private-folders', define: 'WITHOUT_PRIVATE_FOLDERS', boxes: shell },
];

/** The kinds of box that have this wall. */
export function boxesOf(wall: Wall, nameSpaces: boolean): readonly BoxKind[] {
  if (wall.bareOnly === true && nameSpaces) return [];
  return nameSpaces ? [...wall.boxes, ...(wall.withSpaces ?? [])] : wall.boxes;
}
