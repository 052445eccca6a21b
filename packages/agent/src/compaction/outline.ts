/** Sections that a model writes, in their order. */
export const PROSE_SECTIONS = [
  'Goal',
  'Constraints',
  'Done',
  'Doing',
  'Blocked',
  'Decisions',
  'Next',
  'Open tasks',
] as const;

/** Sections made from the conversation by rule, regardless of the model. */
const RULE_SECTIONS = ['Files read', 'Files changed'] as const;

export type SectionName = (typeof PROSE_SECTIONS)[number] | (typeof RULE_SECTIONS)[number];

export const SECTION_NAMES: readonly SectionName[] = [...PROSE_SECTIONS, ...RULE_SECTIONS];

/** The content of a summary: lines by section, and the person's words that are being worked on. */
export interface Outline {
  /** An existing section without lines was emptied on purpose. */
  readonly sections: ReadonlyMap<SectionName, readonly string[]>;
  /** Whole messages, word for word. */
  readonly quoted: readonly string[];
}

export const EMPTY_OUTLINE: Outline = { sections: new Map(), quoted: [] };

const MAX_LINE = 500;
const MAX_LINES = 60;

/** Longest line and most lines of a section. */
export const SECTION_LIMITS = { line: MAX_LINE, lines: MAX_LINES } as const;
