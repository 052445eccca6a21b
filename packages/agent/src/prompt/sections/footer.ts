import { oneLine } from '../text/one-line.ts';
import type { PromptSection } from './prompt-section.ts';

/** The agent's location. Last, since it differs between sessions. */
export const footer: PromptSection = {
  name: 'footer',
  render: ({ home, profileFolder, scratchFolder, workingFolder, sessionId, platform }) => {
    const lines = [
      ['Platform', platform],
      ['Home', home],
      ['Profile', profileFolder],
      ['Scratch', scratchFolder],
      ['Working folder', workingFolder],
      ['Session', sessionId],
    ].flatMap(([name, value = '']) => (oneLine(value) === '' ? [] : [`${name}: ${oneLine(value)}`]));
    return lines.length === 0 ? '' : ['# Here', ...lines].join('\n');
  },
};
