import { join } from 'node:path';
import { faultPoint } from '@bulkhead/protocol';
import { AppendFile } from './append-file.ts';
import { auditFileName } from './audit-files.ts';

/** Appends text to the log and starts new files. Wait for each call before the next. */
export interface LogWriter {
  /** Number of the current file. */
  readonly number: number;
  /** True once the file has its size: start the next one. */
  readonly isFull: boolean;
  /**
   * Durable when it resolves. After a failure the end of the file is unknown: open the log again.
   */
  write(text: string): Promise<void>;
  /** Starts the next file. */
  rotate(): void;
  close(): void;
}

/**
 * @param number of the file to continue, created if absent
 * @param rotateBytes size at which the next file starts
 */
export function openWriter(folder: string, number: number, rotateBytes: number): LogWriter {
  let file = new AppendFile(join(folder, auditFileName(number)), 'append');
  let current = number;
  return {
    get number() {
      return current;
    },
    get isFull() {
      return file.size >= rotateBytes;
    },
    async write(text) {
      faultPoint('audit.before_write');
      file.put(text);
      faultPoint('audit.before_flush');
      await file.flush();
      faultPoint('audit.after_flush');
    },
    rotate() {
      const next = new AppendFile(join(folder, auditFileName(current + 1)), 'new');
      file.close();
      file = next;
      current += 1;
    },
    close() {
      file.close();
    },
  };
}
