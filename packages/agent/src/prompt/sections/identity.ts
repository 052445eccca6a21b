import { ProfileSlot } from '@bulkhead/protocol/agent';
import { oneLine } from '../text/one-line.ts';
import { type PromptSection, profileText } from './prompt-section.ts';

const RUNTIME =
  'You think in a closed process; an engine outside judges, records and runs every call you make.';

/** The agent's identity: SYSTEM.md replaces this section only [C1]. */
export const identity: PromptSection = {
  name: 'identity',
  render: (facts) => {
    const whole = profileText(facts, ProfileSlot.SYSTEM);
    if (whole !== '') return whole;
    const own = profileText(facts, ProfileSlot.IDENTITY);
    const name = oneLine(facts.agentName) || 'Bulkhead';
    const who =
      own === ''
        ? `You are ${name}, a personal assistant that works on this person's computer through tools.`
        : `Be who this describes; unless it says otherwise, your name is ${name}.\n${own}`;
    return `# Your Identity\n${who}${own === '' ? ' ' : '\n'}${RUNTIME}`;
  },
};
