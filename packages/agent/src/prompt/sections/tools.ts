import type { PromptSection } from './prompt-section.ts';

/** How tools are had; what each does stands in its definition. */
export const tools: PromptSection = {
  name: 'tools',
  render: ({ groups }) => (groups.length === 0 ? '' : '# Tools\nIf one is missing, load its group.'),
};
