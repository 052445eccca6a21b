import { LABEL, type Labels } from '../../effects/labels.ts';
import { type Text, unknownText } from './text.ts';

/**
 * Files that a command wrote, by path, so that later reads of them are known. Subshells share it,
 * as they share the disk. A look-up takes time in the depth of the path, not in the number of
 * files; only a pattern is compared with each.
 */
export class WrittenFiles {
  readonly #contents = new Map<string, Text>();
  /** Lengths of the written paths: a path of another length needs no look-up. */
  readonly #lengths = new Set<number>();
  /** By folder: the labels of everything written below it, if any. */
  readonly #below = new Map<string, Labels>();

  get size(): number {
    return this.#contents.size;
  }

  /** Returns the content written to this exact path. */
  get(path: string): Text | undefined {
    return this.#contents.get(path);
  }

  set(path: string, content: Text): void {
    this.#contents.set(path, content);
    this.#lengths.add(path.length);
    const { labels } = content;
    if (labels === LABEL.none) return;
    for (let at = path.lastIndexOf('/'); at > 0; at = path.lastIndexOf('/', at - 1)) {
      const folder = path.slice(0, at);
      const known = this.#below.get(folder) ?? LABEL.none;
      // The labels of a folder also apply to its parents.
      if ((known & labels) === labels) return;
      this.#below.set(folder, known | labels);
    }
  }

  /**
   * Returns the labels of a path that was not itself written, but has a written parent or child, or
   * is a pattern that may match a written path.
   *
   * @param pattern the path before its first `*`; undefined for a path that is no pattern
   * @returns undefined if no related path was written
   */
  around(path: string, pattern: string | undefined): Text | undefined {
    if (this.#contents.size === 0) return undefined;
    let found = this.#below.get(path);
    const add = (labels: Labels): void => {
      found = (found ?? LABEL.none) | labels;
    };
    for (let at = path.lastIndexOf('/'); at > 0; at = path.lastIndexOf('/', at - 1)) {
      const folder = this.#lengths.has(at) ? this.#contents.get(path.slice(0, at)) : undefined;
      if (folder !== undefined) add(folder.labels);
    }
    if (pattern !== undefined) {
      for (const [file, { labels }] of this.#contents) if (file.startsWith(pattern)) add(labels);
    }
    return found === undefined ? undefined : unknownText(found | LABEL.opaque);
  }
}
