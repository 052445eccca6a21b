import type { PromptSection } from '../prompt-section.ts';

const HINTS: ReadonlyMap<string, string> = new Map([
  ['terminal', 'The person reads you in a terminal: plain lines, no tables or images.'],
]);

/** How answers are read where they go. */
export const channel: PromptSection = {
  name: 'channel',
  render: (facts) => {
    const hint = HINTS.get(facts.channel);
    return hint === undefined ? '' : `# Channel\n${hint}`;
  },
};
