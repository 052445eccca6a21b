import { type FileHandle, open, stat } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';

const CHUNK_BYTES = 64 * 1024;
const POLL_MS = 200;
const NEWLINE = 0x0a;

/**
 * Lines of a log file. A line counts once it is complete; a file that is replaced is read from its
 * start.
 */
export interface TailOptions {
  /** Number of last lines to start with. */
  readonly lines: number;
  readonly follow: boolean;
  readonly signal: AbortSignal;
}

/** @throws errors of opening the file, such as `ENOENT` */
export async function* tailFile(path: string, options: TailOptions): AsyncGenerator<string> {
  let file = await open(path, 'r');
  try {
    let position = await startOfTail(file, options.lines);
    let rest = Buffer.alloc(0);
    while (!options.signal.aborted) {
      const chunk = await read(file, position, CHUNK_BYTES);
      position += chunk.length;
      rest = Buffer.concat([rest, chunk]);
      for (let end = rest.indexOf(NEWLINE); end >= 0; end = rest.indexOf(NEWLINE)) {
        yield rest.toString('utf8', 0, end);
        rest = rest.subarray(end + 1);
      }
      if (chunk.length > 0) continue;
      if (!options.follow) break;
      await sleep(POLL_MS, undefined, { signal: options.signal }).catch(() => {});
      if (!(await wasReplaced(file, path, position))) continue;
      await file.close();
      file = await open(path, 'r');
      position = 0;
      rest = Buffer.alloc(0);
    }
    if (rest.length > 0 && !options.follow) yield rest.toString('utf8');
  } finally {
    await file.close();
  }
}

/** Reads backwards until it has found enough line ends. */
async function startOfTail(file: FileHandle, lines: number): Promise<number> {
  const { size } = await file.stat();
  let position = size;
  let ends = 0;
  while (position > 0) {
    const from = Math.max(0, position - CHUNK_BYTES);
    const chunk = await read(file, from, position - from);
    for (let index = chunk.length - 1; index >= 0; index--) {
      const last = from + index === size - 1;
      if (chunk[index] === NEWLINE && !last && ++ends === lines) return from + index + 1;
    }
    position = from;
  }
  return lines === 0 ? size : 0;
}

async function read(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const buffer = Buffer.alloc(length);
  const { bytesRead } = await file.read(buffer, 0, length, position);
  return buffer.subarray(0, bytesRead);
}

async function wasReplaced(file: FileHandle, path: string, position: number): Promise<boolean> {
  const now = await stat(path).catch(() => undefined);
  if (now === undefined) return false;
  const opened = await file.stat();
  return now.ino !== opened.ino || now.size < position;
}
