import { oneLine } from '../text/one-line.ts';
import type { PromptSection } from './prompt-section.ts';

/**
 * Only off the record: the actions that the engine then refuses, so that the model need not try
 * them.
 */
export const offTheRecord: PromptSection = {
  name: 'off the record',
  render: (facts) => {
    if (!facts.offTheRecord) return '';
    const names = facts.remainingTools.map(oneLine).filter(Boolean).join(', ');
    const left = names === '' ? 'No tool does anything.' : `Only these tools do anything: ${names}.`;
    return `# Off the Record\nNothing of this conversation is kept, and nothing may be changed or remembered. ${left}`;
  },
};
