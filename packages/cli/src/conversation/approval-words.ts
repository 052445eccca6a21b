import { ApprovalAnswer } from '@bulkhead/protocol/client';
import { yesOrNo } from './yes-or-no.ts';

/** Answers beside yes and no, where they are offered. */
const WIDER = [
  {
    scope: 'session',
    words: ['s', 'session'],
    answer: ApprovalAnswer.ALLOW_SESSION,
    about: 's this session',
  },
  { scope: 'always', words: ['a', 'always'], answer: ApprovalAnswer.ALLOW_ALWAYS, about: 'a always' },
] as const;

/** @param scopes how far a yes may reach, as the engine says */
export function approvalPrompt(scopes: readonly string[] = []): string {
  const wider = WIDER.filter(({ scope }) => scopes.includes(scope)).map(({ about }) => about);
  return wider.length === 0 ? 'Allow once? [y/N] ' : `Allow? [y once, ${wider.join(', ')}, N] `;
}

/** What of it counts as an answer, for whoever gave none. */
export function approvalChoices(scopes: readonly string[] = []): string {
  const wider = WIDER.filter(({ scope }) => scopes.includes(scope)).map(({ words: [word] }) => word);
  return wider.length === 0 ? 'y or n' : `y, ${wider.join(', ')} or n`;
}

/** @returns undefined for what is no answer, or one that was not offered */
export function approvalAnswer(text: string, scopes: readonly string[] = []): ApprovalAnswer | undefined {
  const plain = yesOrNo(text);
  if (plain !== undefined) return plain ? ApprovalAnswer.ALLOW_ONCE : ApprovalAnswer.DENY;
  const word = text.trim().toLowerCase();
  const wider = WIDER.find(({ scope, words }) => scopes.includes(scope) && words.some((one) => one === word));
  return wider?.answer;
}
