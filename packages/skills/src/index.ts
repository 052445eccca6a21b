export type { SkillEntry, SkillOrigin } from './skill-entry.ts';
