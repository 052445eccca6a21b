/**
 * The permissions of a boxed process. Only named objects are allowed. All paths are absolute and
 * should be real paths (no symbolic link in them): the launcher resolves them once, before the box
 * closes, and grants the objects it found. A link in a writable path refuses the launch.
 */
export type Box = AgentBox | WorkerBox | ShellBox;

/**
 * The agent's process: no network, no writing, no second process, no other program than the
 * launched one. The files Node itself needs are granted by the sandbox; `read` names the rest.
 */
export interface AgentBox {
  readonly kind: 'agent';
  /** Files and folders it may read. */
  readonly read: readonly string[];
  /** Absent: `AGENT_BOX_LIMITS`. */
  readonly limits?: NodeLimits;
}

/**
 * A process of file tools: reads `read`, reads and changes `write`, starts only `execute`. No
 * network.
 */
export interface WorkerBox {
  readonly kind: 'worker';
  /** Files and folders it may read. */
  readonly read: readonly string[];
  /**
   * Folders (or files) it may read and change. A symbolic link anywhere in one refuses the launch.
   */
  readonly write: readonly string[];
  /** Program files it may start besides the one launched. They are readable, too. */
  readonly execute: readonly string[];
  /** Absent: `WORKER_BOX_LIMITS`. */
  readonly limits?: NodeLimits;
}

/** Resource limits of an agent or worker, for each process unless noted. */
export interface NodeLimits {
  /**
   * Bytes of address space that one process may write privately (RLIMIT_DATA). Node takes some 570
   * MiB at start, of which 512 MiB are V8's room for compiled code, mostly never used; each thread
   * of JavaScript takes as much again.
   */
  readonly maxDataBytes: number;
  /**
   * Processes and threads in total at any time. Needs name spaces; not enforced by the kernel for
   * root.
   */
  readonly maxProcesses: number;
  /** Open files of one process. An agent never gets more than 512. */
  readonly maxOpenFiles: number;
}

export const AGENT_BOX_LIMITS: NodeLimits = {
  maxDataBytes: 2 * 1024 ** 3,
  maxProcesses: 128,
  maxOpenFiles: 512,
};
export const WORKER_BOX_LIMITS: NodeLimits = {
  maxDataBytes: 3 * 1024 ** 3,
  maxProcesses: 256,
  maxOpenFiles: 1024,
};

/**
 * A shell command with all its processes: its own user, mount, process, network, ipc and host name
 * spaces. It sees the system read-only, a private home and temp, and the working folder.
 */
export interface ShellBox {
  readonly kind: 'shell';
  /**
   * Read-write at its real path: a symbolic link in it refuses the launch. May not be `/`, nor
   * equal to `home`.
   */
  readonly workingFolder: string;
  /** An empty private folder appears at this path, instead of the host's content. */
  readonly home: string;
  /** Folders of the host that outlive the command; absent, home and temporary files end with it. */
  readonly kept?: KeptFolders;
  /** More files or folders to show, read-only, at their own paths. */
  readonly readOnly: readonly string[];
  /**
   * Folders of the user that appear read-only at their own paths, around or beside the working
   * folder, none in another. Hidden places in one stay hidden while the box lives, also when a program
   * outside replaces them. One that is another folder by then, or has lost a hidden place, refuses the
   * launch. Absent, none.
   */
  readonly neighbours?: readonly Neighbour[];
  /**
   * Existing paths inside the working folder made read-only. A symbolic link among them refuses the
   * launch.
   */
  readonly protect: readonly string[];
  /**
   * Paths inside the working folder that appear empty and read-only; skips missing ones. And paths in neighbours, none missing.
   */
  readonly hide: readonly string[];
  /** The same, but files can't be opened, so no program takes them for empty ones. Absent, none. */
  readonly deny?: readonly string[];
  /** Files of the working folder, shown read-only with another content. Absent, none. */
  readonly filled?: FilledFiles;
  readonly limits: ShellLimits;
  /**
   * Scratch folder for an overlay: existing, empty, private, outside the working folder and on its
   * file system. The working folder is then changed only when the transaction on descriptor 3 of
   * the launcher is committed. Absent, the command writes the working folder directly.
   */
  readonly overlay?: string;
  /**
   * With `overlay`: uses a copy in the scratch folder, for kernels without overlays. Bounds:
   * launcher/clone.h.
   */
  readonly copy?: boolean;
  /**
   * Socket of an egress proxy, which appears in the box on 127.0.0.1:3128. Absent, there is no
   * network.
   */
  readonly egress?: string;
  /**
   * With `egress`: puts its address beside those of other boxes of the session. Port N % 65536, and
   * the rest of N are the last three bytes of an address in 127.0.0.0/8.
   */
  readonly egressNumber?: number;
  /**
   * With `overlay` and `session`: processes that the command leaves go on after it, until the
   * control channel closes. Their later changes are a transaction of their own
   * (`ShellTransaction.later`). Absent, they end with the command.
   */
  readonly leave?: boolean;
  /** With `leave`, without `egress`: the command goes on from its start, as if it were left. */
  readonly background?: boolean;
  /**
   * Shares users and network with the other boxes of the session; then without `copy`.
   * A box without `overlay` can then make no unix socket, so that no descriptor of the working
   * folder leaves it. Absent, both are the box's own.
   */
  readonly session?: SessionSpaces;
}

/** Existing files of the working folder that a box shows with a content of the caller's. */
interface FilledFiles {
  /** Folder with the contents in files named 1, 2, …, and nothing else: the box shows it too. */
  readonly from: string;
  /** In the order of these names. A symbolic link in one, or another object there, refuses the launch. */
  readonly paths: readonly string[];
}

/** A folder at a path: another one at that path is not it. */
export interface Neighbour {
  /** Real: no link in it. */
  readonly path: string;
  /** Number of its inode. */
  readonly inode: bigint;
}

/** Descriptors of the name spaces that the boxes of a session share. */
export interface SessionSpaces {
  readonly users: number;
  readonly network: number;
}

/**
 * Folders of the host that appear in a box without set-user programs and devices. No link may be in
 * these paths.
 */
export interface KeptFolders {
  /** Appears at the box's `home`; absent, an empty folder does. */
  readonly home?: { readonly from: string; readonly readOnly: boolean };
  /** Its folders `tmp`, `var-tmp` and `shm` appear as /tmp, /var/tmp and /dev/shm. */
  readonly temp?: string;
}

export interface ShellLimits {
  /** Processes and threads at any time. Not enforced by the kernel for root. */
  readonly maxProcesses: number;
  /** Bytes of one file. */
  readonly maxFileBytes: number;
  /** Open files of one process. */
  readonly maxOpenFiles: number;
  /** Processor time of one process, seconds. */
  readonly maxCpuSeconds?: number;
  /** Private memory of one process, bytes. */
  readonly maxDataBytes?: number;
  /**
   * With an overlay: the command is stopped when its file system has less free space than this,
   * bytes.
   */
  readonly minFreeBytes?: number;
}
