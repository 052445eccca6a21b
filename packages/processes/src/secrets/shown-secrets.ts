import { writeSync } from 'node:fs';
import { Descriptor, listNames, makeFolderEntry, removeEntry, removeFolderEntry } from '@bulkhead/files';
import { BulkheadError, isSecretFile } from '@bulkhead/protocol';
import type { ShellBox } from '@bulkhead/sandbox';
import { FolderObject } from '../transactions/folder-object.ts';
import { secretValues } from './secret-values.ts';

interface SecretParts {
  /** Absolute: the engine's private folder, which holds the contents that boxes show, each in a folder of its own. */
  readonly run: string;
  /** Makes values known to every redaction from now on; false if there is no room for them. */
  learn(values: readonly string[]): boolean;
}

/** Files with credentials that one command may read. Disposing removes the copies of their content. */
export interface OpenedSecrets extends Disposable {
  /** For the box; undefined without any. */
  readonly filled?: NonNullable<ShellBox['filled']>;
  /** Paths below the working folder. */
  readonly shown: readonly string[];
  /** A clause for each file, for model and user. */
  readonly remarks: readonly string[];
}

/** Begins the names of its folders. */
const OWN = 'shown-';
/** Longest file of settings that is shown. */
const MAX_BYTES = 64 * 1024;
/** A person reads no longer list, and each of them is read before the question. */
const MOST_FILES = 16;
const NONE: OpenedSecrets = { shown: [], remarks: [], [Symbol.dispose]: () => {} };

/**
 * Shows files with credentials to the commands that a person allowed to read them. A command sees the
 * content that was read before it began, and the redaction knows that very content: a file that
 * changes meanwhile changes neither.
 */
export class ShownSecrets {
  readonly #parts: SecretParts;

  constructor(parts: SecretParts) {
    this.#parts = parts;
  }

  /** At start, before any command: removes what an engine left that was killed. */
  static begin(parts: SecretParts): ShownSecrets {
    const secrets = new ShownSecrets(parts);
    secrets.#recover();
    return secrets;
  }

  #recover(): void {
    using run = Descriptor.ofTrustedFolder(this.#parts.run);
    for (const name of listNames(run).filter((each) => each.toString().startsWith(OWN)))
      removeShown(run, name);
  }

  /** Which of these files a person may be asked about, and why not the others, a clause each. */
  async offerable(files: readonly string[], workingFolder: string) {
    const needs: string[] = [];
    const refused: string[] = [];
    const all = files.filter(isSecretFile);
    if (all.length > MOST_FILES)
      refused.push(`${all.length} files with credentials: a person is asked about ${MOST_FILES} at most`);
    for (const file of all.slice(0, MOST_FILES)) {
      const content = await this.#contentOf(file, workingFolder);
      if (typeof content === 'string') refused.push(`${file} can't be shown to a command: ${content}`);
      else if (content.bytes.length > 0) needs.push(file);
    }
    return { needs, refused };
  }

  /**
   * Prepares the files for the box of one command. One that can't be shown stays hidden.
   *
   * @param actionId a plain name
   */
  async open(files: readonly string[], workingFolder: string, actionId: string): Promise<OpenedSecrets> {
    if (files.length === 0) return NONE;
    const { run: path, learn } = this.#parts;
    const own = Buffer.from(`${OWN}${actionId}`);
    const from = `${path}/${own}`;
    const shown: string[] = [];
    const remarks: string[] = [];
    const remove = (): void => {
      using run = Descriptor.ofTrustedFolder(path);
      removeShown(run, own);
    };
    try {
      using folder = makeShown(path, own);
      for (const file of files) {
        const content = await this.#contentOf(file, workingFolder);
        const problem = typeof content === 'string' ? content : undefined;
        if (typeof content === 'string' || !learn(content.values)) {
          remarks.push(
            `${file} is not shown: ${problem ?? 'too many values would have to be hidden in output'}`,
          );
          continue;
        }
        put(folder, String(shown.length + 1), content.bytes);
        shown.push(file);
      }
    } catch (cause) {
      remove();
      throw new BulkheadError('sandbox_unavailable', 'a file with credentials could not be prepared', {
        cause,
      });
    }
    if (shown.length > 0)
      remarks.push(
        `${shown.join(', ')}: shown with the user's permission, as it was at the start; its values are hidden in output`,
      );
    return {
      ...(shown.length === 0
        ? {}
        : { filled: { from, paths: shown.map((file) => `${workingFolder}/${file}`) } }),
      shown,
      remarks,
      [Symbol.dispose]: remove,
    };
  }

  /** Reached without following a link. @returns a clause if it may not be shown */
  async #contentOf(
    file: string,
    workingFolder: string,
  ): Promise<string | { readonly bytes: Buffer; readonly values: readonly string[] }> {
    if (!isSecretFile(file)) return 'only settings of a project can be';
    if (this.#parts.run.startsWith(`${workingFolder}/`)) return "Bulkhead's own home lies in this folder";
    const names = file.split('/');
    const name = names.pop() ?? '';
    try {
      await using folder = await FolderObject.walk(workingFolder);
      await using parent = await FolderObject.walk([workingFolder, ...names].join('/'));
      await using found = await parent?.child(name);
      if (found === undefined || parent === undefined) return 'it is not there';
      const { stat } = found;
      if (!stat.isFile()) return 'it is no plain file';
      // Another name of it may be a key, or lie outside the folder.
      if (stat.nlink !== 1n) return 'it has more than one name';
      if (stat.dev !== folder?.stat.dev) return 'it lies on another file system';
      const bytes = await found.read(MAX_BYTES);
      if (bytes === undefined) return `it is longer than ${MAX_BYTES / 1024} KiB`;
      const values = bytes.includes(0) ? undefined : valuesOf(bytes);
      return values === undefined ? 'its values are not clear' : { bytes, values };
    } catch {
      return 'it could not be read';
    }
  }
}

function makeShown(path: string, name: Buffer): Descriptor {
  using run = Descriptor.ofTrustedFolder(path);
  makeFolderEntry(run, name);
  return Descriptor.ofEntry(run, name);
}

function put(folder: Descriptor, name: string, bytes: Buffer): void {
  using file = Descriptor.create(folder, Buffer.from(name), 0o400);
  if (writeSync(file.fd, bytes) !== bytes.length) throw new Error('it was not written whole');
}

/** The next engine removes one that can't be removed now. */
function removeShown(run: Descriptor, name: Buffer): void {
  try {
    using folder = Descriptor.ofEntry(run, name);
    for (const each of listNames(folder)) removeEntry(folder, each);
    removeFolderEntry(run, name);
  } catch {
    // No one else may look into the folder meanwhile.
  }
}

function valuesOf(bytes: Buffer): readonly string[] | undefined {
  try {
    return secretValues(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    return undefined;
  }
}
