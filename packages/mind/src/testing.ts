export { requestSections } from './context/request-sections.ts';
export type { NewProposal } from './memory/proposal-store.ts';
export { skillFile, skillStage, UNLABELLED } from './skills/testing/skill-stage.ts';
export { createPlainIndex } from './testing/plain-index.ts';
export { plainMind } from './testing/plain-mind.ts';
