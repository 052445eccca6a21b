export { type FetchedSkill, fetchSkill } from '@bulkhead/mind/skills/git/fetch-skill';
export { isAddress, parseGitAddress } from '@bulkhead/mind/skills/git/git-address';
