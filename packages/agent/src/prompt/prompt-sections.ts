import { renderKnowledge } from './knowledge-section.ts';
import { appended } from './sections/appended.ts';
import { behaviour } from './sections/behaviour.ts';
import { channel } from './sections/channel.ts';
import { documentation } from './sections/documentation.ts';
import { footer } from './sections/footer.ts';
import { guardrails } from './sections/guardrails.ts';
import { identity } from './sections/identity.ts';
import { instructions } from './sections/instructions.ts';
import { offTheRecord } from './sections/off-the-record.ts';
import type { PromptSection } from './sections/prompt-section.ts';
import { sensitiveData } from './sections/sensitive-data.ts';
import { tools } from './sections/tools.ts';
import { userProfile } from './sections/user-profile.ts';
import { renderSkills } from './skills-section.ts';

/** All sections, in the order of the prompt [C1]: add new ones here. */
export const PROMPT_SECTIONS: readonly PromptSection[] = [
  identity,
  guardrails,
  instructions,
  userProfile,
  behaviour,
  sensitiveData,
  documentation,
  appended,
  { name: 'knowledge', render: renderKnowledge },
  { name: 'skills', render: renderSkills },
  tools,
  channel,
  offTheRecord,
  footer,
];
