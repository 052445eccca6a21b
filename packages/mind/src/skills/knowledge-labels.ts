import type { Label } from '@bulkhead/shield';
import type { KnowledgeFile } from '@bulkhead/skills';
import { type MemoryLabels, worst } from '../memory/memory-labels.ts';

/** What can't be told counts as anybody's. */
const UNKNOWN: Label = { secrecy: 'internal', trust: 'external' };

/** Labels of lines that a session wrote to memory, wherever they were moved. */
export type LineLabels = Pick<MemoryLabels, 'ofFile' | 'ofText'>;

/**
 * What knowledge files carry [F2]: they are the user's, but a line that a session wrote to memory and somebody moved there
 * carries what that session had read (FT54).
 */
export class KnowledgeLabels {
  readonly #lines: LineLabels;

  constructor(lines: LineLabels) {
    this.#lines = lines;
  }

  /**
   * Of a file that is shown: of what it says now, and of what was read of it.
   * @returns undefined if it carries nothing that must be kept
   */
  ofFile(name: string, text: string): Label | undefined {
    return this.#told(() =>
      worst([this.#lines.ofText(text), this.#lines.ofFile(`knowledge/${name}.md`)?.label]),
    );
  }

  /** Of the line that lists a file. */
  ofSummary({ summary, summarySource }: Pick<KnowledgeFile, 'summary' | 'summarySource'>): Label | undefined {
    return this.#told(() => this.#lines.ofText(`${summary}\n${summarySource}`));
  }

  #told(label: () => Label | undefined): Label | undefined {
    try {
      return label();
    } catch {
      // Records that can't be read: nobody knows who wrote any line.
      return UNKNOWN;
    }
  }
}
