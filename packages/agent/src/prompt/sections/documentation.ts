import { oneLine } from '../text/one-line.ts';
import type { PromptSection } from './prompt-section.ts';

/** The location of the product's own documentation, by topic. */
export const documentation: PromptSection = {
  name: 'documentation',
  render: ({ docsFolder }) =>
    docsFolder === ''
      ? ''
      : `# Documentation\nOf Bulkhead itself, in ${oneLine(docsFolder)}: configuration, sessions, context, policy, undo, trust (each NAME.md).`,
};
