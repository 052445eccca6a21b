import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { fileError } from '@bulkhead/files';
import { BulkheadError } from '@bulkhead/protocol';

/** Largest file that is read, its longest line, and its most lines: enough for one session. */
const MAX_BYTES = 512 * 1024 * 1024;
const MAX_LINE = 32 * 1024 * 1024;
const MAX_LINES = 200_000;

const FIX = 'Name a file that `bulkhead sessions export ID --output FILE` wrote.';

/**
 * Reads the lines of a user's file on demand. Other kinds of file are refused before they are read:
 * a pipe could block the engine, a device has no end.
 *
 * @throws BulkheadError `usage` if it is not a file, can't be read, or is too large
 */
export async function openLines(path: string): Promise<AsyncIterable<string> & AsyncDisposable> {
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK).catch((cause: unknown) => {
    throw new BulkheadError('usage', fileError(cause, `${path} can't be read`).message, { cause, fix: FIX });
  });
  const stats = await file.stat();
  if (!stats.isFile() || stats.size > MAX_BYTES) {
    await file.close();
    throw refused(path, stats.isFile() ? `is larger than ${MAX_BYTES} bytes` : 'is no file');
  }
  return {
    [Symbol.asyncIterator]: () =>
      linesOf(path, file.createReadStream({ encoding: 'utf8', autoClose: false })),
    [Symbol.asyncDispose]: () => file.close(),
  };
}

/** The lines of a text from a client, within the same limits. */
export function textLines(text: string): AsyncIterable<string> & AsyncDisposable {
  return {
    [Symbol.asyncIterator]: () => linesOf('what was sent', once(text)),
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}

async function* once(text: string): AsyncGenerator<string> {
  yield text;
}

async function* linesOf(path: string, chunks: AsyncIterable<string>): AsyncGenerator<string> {
  let rest = '';
  let count = 0;
  for await (const chunk of chunks) {
    const [head = '', ...others] = chunk.split('\n');
    rest += head;
    for (const next of others) {
      yield rest;
      rest = next;
      count += 1;
      if (count > MAX_LINES) throw refused(path, `has more than ${MAX_LINES} lines`);
    }
    if (rest.length > MAX_LINE) throw refused(path, `has a line longer than ${MAX_LINE} characters`);
  }
  if (rest !== '') yield rest;
}

function refused(path: string, why: string): BulkheadError {
  return new BulkheadError('usage', `${path} ${why}: it can't be a session that Bulkhead exported`, {
    fix: FIX,
  });
}
