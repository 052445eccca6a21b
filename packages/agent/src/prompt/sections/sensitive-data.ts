import type { PromptSection } from './prompt-section.ts';

/** Credentials and private data, in tool output too. */
export const sensitiveData: PromptSection = {
  name: 'sensitive',
  render: () =>
    '# Sensitive Data\nPasswords, keys, tokens and private data, in tool output too: never print, send, commit or remember them, nor put them on a command line. Name the place, not the value.',
};
