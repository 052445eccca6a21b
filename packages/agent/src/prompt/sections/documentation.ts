import { oneLine } from '../text/one-line.ts';
import type { PromptSection } from './prompt-section.ts';

/** Where the product's own documentation is, by topic. */
export const documentation: PromptSection = {
  name: 'documentation',
  render: ({ docsFolder }) =>
    docsFolder === ''
      ? ''
      : `# Documentation\nOf Bulkhead itself, in ${oneLine(docsFolder)}: configuration, sessions, context, policy, undo, trust (each NAME.md).`,
};
