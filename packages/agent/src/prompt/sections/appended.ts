import { ProfileSlot } from '@bulkhead/protocol/agent';
import { type PromptSection, profileText } from './prompt-section.ts';

/** APPEND.md of the profile, unchanged. */
export const appended: PromptSection = {
  name: 'appended',
  render: (facts) => profileText(facts, ProfileSlot.APPENDED),
};
