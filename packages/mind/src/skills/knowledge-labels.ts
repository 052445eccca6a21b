import type { Label } from '@bulkhead/shield';
import type { KnowledgeFile } from '@bulkhead/skills';
import { type MemoryLabels, worst } from '../memory/memory-labels.ts';

/** Lines of unknown origin count as anyone's. */
const UNKNOWN: Label = { secrecy: 'internal', trust: 'external' };

/** Labels of lines that a session wrote to memory, wherever they were moved. */
export type LineLabels = Pick<MemoryLabels, 'ofFile' | 'ofText'>;

/**
 * The labels of knowledge files [F2]: they are the user's, but a line that a session wrote to
 * memory and someone moved there carries the label of that session (FT54).
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
      // The records can't be read: the author of each line is unknown.
      return UNKNOWN;
    }
  }
}
