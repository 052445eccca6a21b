import type { PromptSection } from './prompt-section.ts';

/** How to load tools; their definitions describe each. */
export const tools: PromptSection = {
  name: 'tools',
  render: ({ groups }) => (groups.length === 0 ? '' : '# Tools\nIf one is missing, load its group.'),
};
