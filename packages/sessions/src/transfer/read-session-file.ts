import { createHash } from 'node:crypto';
import type { JsonObject } from '@bufbuild/protobuf';
import { badFile, FileLine } from './read-line.ts';
import { FILE_FORMAT, FILE_VERSION, type FileEntry } from './session-file.ts';

/**
 * Content of a session file, parsed and verified completely; entries with the number of their line.
 */
export interface SessionFile {
  readonly title: string;
  readonly entries: readonly (FileEntry & { readonly body: JsonObject; readonly line: number })[];
  readonly leaf: string | null;
}

/**
 * Reads a file strictly: every line must be fully known, parents come first, and the footer must
 * match.
 * @param lines with or without their line ends
 * @throws BulkheadError `usage`, naming the line
 */
export async function readSessionFile(lines: Iterable<string> | AsyncIterable<string>): Promise<SessionFile> {
  const reader = new SessionFileReader();
  for await (const line of lines) reader.take(line.replace(/\r?\n$/, ''));
  return reader.finish();
}

class SessionFileReader {
  readonly #hash = createHash('sha256');
  readonly #entries: SessionFile['entries'][number][] = [];
  readonly #ids = new Set<string>();
  #line = 0;
  #title = '';
  #leaf: string | null | undefined;

  take(text: string): void {
    this.#line += 1;
    if (this.#leaf !== undefined) {
      if (text !== '') throw badFile(this.#line, 'it comes after the end');
      return;
    }
    const line = new FileLine(text, this.#line);
    if (this.#line === 1) this.#takeHeader(line);
    else if (line.has('sha256')) this.#takeFooter(line);
    else this.#takeEntry(line);
    this.#hash.update(`${text}\n`);
  }

  finish(): SessionFile {
    if (this.#leaf === undefined) throw badFile(this.#line + 1, 'the end of the file is missing');
    return { title: this.#title, entries: this.#entries, leaf: this.#leaf };
  }

  #takeHeader(line: FileLine): void {
    if (!line.has('format') || line.text('format') !== FILE_FORMAT) {
      throw badFile(1, 'it is not the header of a session exported by Bulkhead');
    }
    const version = line.integer('version');
    if (version !== FILE_VERSION) {
      throw badFile(1, `the file has version ${version}; this program reads ${FILE_VERSION}`);
    }
    line.requireOnly(['format', 'version', 'title', 'workingFolder', 'createdAt', 'updatedAt']);
    line.text('workingFolder');
    line.integer('createdAt');
    line.integer('updatedAt');
    this.#title = line.text('title');
  }

  #takeEntry(line: FileLine): void {
    line.requireOnly(['id', 'parent', 'time', 'turn', 'type', 'body']);
    const entry = {
      id: line.text('id'),
      parent: line.textOrNull('parent'),
      time: line.integer('time'),
      turn: line.text('turn'),
      type: line.text('type'),
      body: line.object('body'),
      line: this.#line,
    };
    if (this.#ids.has(entry.id)) throw badFile(this.#line, `the entry ${entry.id} is there already`);
    if (entry.parent !== null && !this.#ids.has(entry.parent)) {
      throw badFile(this.#line, `its parent ${entry.parent} does not come before it`);
    }
    this.#ids.add(entry.id);
    this.#entries.push(entry);
  }

  #takeFooter(line: FileLine): void {
    line.requireOnly(['leaf', 'entries', 'sha256']);
    const leaf = line.textOrNull('leaf');
    if (line.integer('entries') !== this.#entries.length) {
      throw badFile(
        this.#line,
        `it counts ${line.integer('entries')} entries, there are ${this.#entries.length}`,
      );
    }
    if (line.text('sha256') !== this.#hash.copy().digest('hex')) {
      throw badFile(this.#line, 'its checksum does not fit the lines before it: the file was changed');
    }
    if (leaf !== null && !this.#ids.has(leaf)) throw badFile(this.#line, `its leaf ${leaf} is not an entry`);
    this.#leaf = leaf;
  }
}
