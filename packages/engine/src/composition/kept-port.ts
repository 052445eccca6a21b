import { readPrivateFile } from '@bulkhead/home/config/file/read-private-file';
import { replaceFile } from '@bulkhead/home/config/file/replace-file';
import type { KeptPort } from '@bulkhead/http/front';
import type { Logger } from 'pino';

/**
 * The HTTP port of the last start, in a file of the home. It is a convenience: a file that can't be
 * read or written changes no more than which port is tried first.
 */
export function keptPort(path: string, logger: Logger): KeptPort {
  const read = (): number | undefined => {
    try {
      const port = Number(readPrivateFile(path)?.text ?? '');
      return Number.isInteger(port) && port > 0 && port < 65_536 ? port : undefined;
    } catch (err) {
      logger.warn({ err }, 'the port of the last start');
      return undefined;
    }
  };
  return {
    read,
    keep: (port) => {
      if (read() === port) return;
      try {
        replaceFile(path, `${port}\n`);
      } catch (err) {
        logger.warn({ err }, 'the port could not be kept');
      }
    },
  };
}
