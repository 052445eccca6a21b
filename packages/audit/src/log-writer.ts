import { join } from 'node:path';
import { faultPoint } from '@bulkhead/protocol';
import { AppendFile } from './append-file.ts';
import { auditFileName } from './audit-files.ts';

/** Puts text at the end of the log and begins new files. Not to be called again before it has answered. */
export interface LogWriter {
  /** Number of the file that is written to. */
  readonly number: number;
  /** True once the file has its size: the next one is to be begun. */
  readonly isFull: boolean;
  /** On the disk when it resolves. After a failure the file may end anywhere: open the log anew. */
  write(text: string): Promise<void>;
  /** Begins the next file. */
  rotate(): void;
  close(): void;
}

/**
 * @param number of the file to go on with, made if absent
 * @param rotateBytes size at which the next file is begun
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
