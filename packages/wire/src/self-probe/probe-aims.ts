/** What a process's attacks on its own box are aimed at: real things outside, which the engine watches. */
export interface ProbeAims {
  /** The engine. */
  readonly pid: number;
  /** A TCP listener on 127.0.0.1. */
  readonly tcpPort: number;
  /** A UDP socket on 127.0.0.1. */
  readonly udpPort: number;
  /** A folder that the engine's user may read and write, with a file `canary`, a program and a socket in it. */
  readonly folder: string;
  /** What is sent to the sockets: by it the engine tells an attempt from anybody else who finds them. */
  readonly nonce: string;
  /** The folder lies in what the process is granted. */
  readonly folderGranted: boolean;
  /** Slow attempts as well. */
  readonly thorough: boolean;
}

/** As one word of a command line; `parseAims` reads it. */
export function formatAims(aims: ProbeAims): string {
  const { pid, tcpPort, udpPort, nonce, folder, folderGranted, thorough } = aims;
  const extent = `${thorough ? 'all' : 'quick'}${folderGranted ? '-granted' : ''}`;
  return [extent, pid, tcpPort, udpPort, nonce, folder].join(',');
}

/** @returns undefined if `text` is no such word */
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

/** The file that nobody in a box can read. */
export function canaryOf({ folder }: Pick<ProbeAims, 'folder'>): string {
  return `${folder}/canary`;
}

/** The program that nobody in a box can start. */
export function programOf({ folder }: Pick<ProbeAims, 'folder'>): string {
  return `${folder}/program`;
}

/** The socket in the file system. */
export function socketOf({ folder }: Pick<ProbeAims, 'folder'>): string {
  return `${folder}/socket`;
}

/** The socket that has a name but no file. */
export function abstractSocketOf({ pid, tcpPort }: Pick<ProbeAims, 'pid' | 'tcpPort'>): string {
  return `\0bulkhead-probe-${pid}-${tcpPort}`;
}
