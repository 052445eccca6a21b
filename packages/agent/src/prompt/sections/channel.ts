import type { PromptSection } from './prompt-section.ts';

const HINTS: ReadonlyMap<string, string> = new Map([
  ['terminal', 'The person reads you in a terminal: plain lines, no tables or images.'],
  [
    'web',
    'The person reads you in a browser: Markdown is shown, with lists, tables and code; no images or HTML.',
  ],
  [
    'editor',
    'The person reads you in an editor: Markdown is shown; name places as path:line, and keep it short.',
  ],
]);

/** The form of answers in their channel. */
export const channel: PromptSection = {
  name: 'channel',
  render: (facts) => {
    const hint = HINTS.get(facts.channel);
    return hint === undefined ? '' : `# Channel\n${hint}`;
  },
};
