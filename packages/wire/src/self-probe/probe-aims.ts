/** Targets of a process's attacks on its own box: real things outside, which the engine watches. */
export interface ProbeAims {
  /** Process id of the engine. */
  readonly pid: number;
  /** A TCP listener on 127.0.0.1. */
  readonly tcpPort: number;
  /** A UDP socket on 127.0.0.1. */
  readonly udpPort: number;
  /** A folder that the engine's user may read and write, with a file `canary`, a program and a socket in it. */
  readonly folder: string;
  /** Sent to the sockets: identifies an attempt among other connections. */
  readonly nonce: string;
  /** The folder lies in the process's grants. */
  readonly folderGranted: boolean;
  /** Slow attempts as well. */
  readonly thorough: boolean;
}

/** Formats the aims as one word of a command line; `parseAims` reads it. */
export function formatAims(aims: ProbeAims): string {
  const { pid, tcpPort, udpPort, nonce, folder, folderGranted, thorough } = aims;
  const extent = `${thorough ? 'all' : 'quick'}${folderGranted ? '-granted' : ''}`;
  return [extent, pid, tcpPort, udpPort, nonce, folder].join(',');
}

/** @returns undefined if `text` is not such a word */
export function parseAims(text: string): ProbeAims | undefined {
  const [, extent, pid, tcpPort, udpPort, nonce = '', folder = ''] =
    /^((?:all|quick)(?:-granted)?),(\d+),(\d+),(\d+),([0-9a-f]+),(\/.*)$/s.exec(text) ?? [];
  if (folder === '') return undefined;
  return {
    pid: Number(pid),
    tcpPort: Number(tcpPort),
    udpPort: Number(udpPort),
    nonce,
    folder,
    folderGranted: extent?.endsWith('-granted') === true,
    thorough: extent?.startsWith('all') === true,
  };
}

/** A file that no boxed process can read. */
export function canaryOf({ folder }: Pick<ProbeAims, 'folder'>): string {
  return `${folder}/canary`;
}

/** A program that no boxed process can start. */
export function programOf({ folder }: Pick<ProbeAims, 'folder'>): string {
  return `${folder}/program`;
}

/** The socket in the file system. */
export function socketOf({ folder }: Pick<ProbeAims, 'folder'>): string {
  return `${folder}/socket`;
}

/** The abstract socket: it has a name but no file. */
export function abstractSocketOf({ pid, tcpPort }: Pick<ProbeAims, 'pid' | 'tcpPort'>): string {
  return `\0bulkhead-probe-${pid}-${tcpPort}`;
}
