import type { AuditSink } from '@bulkhead/audit';
import type { LogAgreement } from '@bulkhead/sessions';
import { markText } from './check-logs.ts';

/** Audit entries after which a new mark is set, so that a start after a crash has few to compare: a moment's reading. */
const ENTRIES_BETWEEN_MARKS = 20_000;

/**
 * Notes up to where audit log and session logs agree. The mark lies in the database behind everything that the entries before it name: whatever
 * takes those records from the file takes the mark, too, and the next start compares them.
 */
export class LogMarks {
  readonly #audit: AuditSink;
  readonly #store: Pick<LogAgreement, 'setMark' | 'checkpoint' | 'positions'>;
  #since = 0;

  constructor(audit: AuditSink, store: Pick<LogAgreement, 'setMark' | 'checkpoint' | 'positions'>) {
    this.#audit = audit;
    this.#store = store;
  }

  /**
   * The same audit log; counts its entries, and sets a mark from time to time.
   * @param failed hears of a mark that could not be set: the next start compares more
   */
  counting(failed: (error: unknown) => void): AuditSink {
    return {
      append: async (inputs) => {
        const entries = await this.#audit.append(inputs);
        this.#since += inputs.length;
        if (this.#since >= ENTRIES_BETWEEN_MARKS) this.set({}).catch(failed);
        return entries;
      },
    };
  }

  /**
   * @param details what else the entry says
   * @throws BulkheadError `audit_failed`, `store_failed`
   */
  async set(details: Readonly<Record<string, string | number>>): Promise<void> {
    this.#since = 0;
    const [entry] = await this.#audit.append([
      { step: 'CHECKED', action: '', hash: '', session: '', tool: '', details },
    ]);
    if (entry === undefined) return;
    // In one tick: an intent after these positions has its STARTED after this entry.
    this.#store.setMark(markText(entry, this.#store.positions()));
    // While somebody else reads, the write-ahead log stays: it holds the mark, too.
    this.#store.checkpoint();
  }
}
