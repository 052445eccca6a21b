export { type FetchedSkill, fetchSkill } from '../skills/git/fetch-skill.ts';
export { isAddress, parseGitAddress } from '../skills/git/git-address.ts';
