import type { MemoryHit, ProfileFiles } from '@bulkhead/memory';
import type { MemoryReview } from './memory-review.ts';
import type { MemoryService } from './memory-service.ts';
import type { NoteRequest } from './memory-writer.ts';
import type { PersonNotes, WrittenNote } from './person-notes.ts';
import { fileText, type ShownFile, shownFiles } from './show-memory.ts';

/** Memory as a person has it in a client. No tool and no agent is handed this object. */
export class MemoryClientService {
  readonly review: MemoryReview;
  readonly #files: ProfileFiles;
  readonly #service: MemoryService;
  readonly #notes: PersonNotes;

  constructor(parts: {
    readonly files: ProfileFiles;
    readonly service: MemoryService;
    readonly notes: PersonNotes;
    readonly review: MemoryReview;
  }) {
    this.review = parts.review;
    this.#files = parts.files;
    this.#service = parts.service;
    this.#notes = parts.notes;
  }

  /** All files, with size, age and what is in them; what is wrong with others. */
  show(): {
    readonly files: readonly ShownFile[];
    readonly problems: readonly string[];
    readonly folder: string;
    readonly openProposals: number;
  } {
    const { files, problems } = this.#files.list();
    const openProposals = this.review.list(false).length;
    return { files: shownFiles(this.#files, files), problems, folder: this.#files.root, openProposals };
  }

  /** @throws BulkheadError `not_found` */
  text(path: string): { readonly text: string; readonly isCut: boolean; readonly hash: string } {
    return fileText(this.#files, path);
  }

  search(query: string, limit: number): Promise<readonly MemoryHit[]> {
    return this.#service.search(query, limit);
  }

  /** A person's own words. @throws BulkheadError as `PersonNotes.write` */
  add(request: NoteRequest, signal: AbortSignal): Promise<WrittenNote> {
    return this.#notes.write(request, undefined, signal);
  }

  /** A file as a person has rewritten it. @param seen SHA-256 of what they saw @throws BulkheadError as `PersonNotes.rewrite` */
  rewrite(path: string, text: string, seen: string, signal: AbortSignal): Promise<WrittenNote> {
    return this.#notes.rewrite(path, text, seen, signal);
  }

  /** @returns how many texts can be found now */
  reindex(): Promise<number> {
    return this.#service.reindex();
  }
}
