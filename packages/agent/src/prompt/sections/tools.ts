import type { PromptSection } from '../prompt-section.ts';

/** How tools are had; what each does stands in its definition. */
export const tools: PromptSection = {
  name: 'tools',
  render: ({ groups }) =>
    groups.length === 0
      ? ''
      : '# Tools\nThey come in groups: if one is missing, load its group with load_tools.',
};
