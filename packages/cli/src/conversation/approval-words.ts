import { ApprovalAnswer } from '@bulkhead/protocol/client';

/** The possible entries at a question: an answer, or a request about it. */
export type ApprovalWord =
  | { readonly kind: 'answer'; readonly answer: ApprovalAnswer }
  /** Deny, and send these words to the agent. */
  | { readonly kind: 'instead'; readonly words: string }
  /** Show the whole question. */
  | { readonly kind: 'details' }
  | { readonly kind: 'help' };

interface Key {
  readonly words: readonly string[];
  readonly means: ApprovalWord;
  readonly label: string;
  readonly about: string;
  /** Offered only if the engine allows an approval of this scope. */
  readonly scope?: string;
}

const answer = (given: ApprovalAnswer): ApprovalWord => ({ kind: 'answer', answer: given });

const KEYS: readonly Key[] = [
  {
    words: ['y', 'yes'],
    means: answer(ApprovalAnswer.ALLOW_ONCE),
    label: 'y once',
    about: 'allow once, exactly as shown',
  },
  {
    words: ['s', 'session'],
    means: answer(ApprovalAnswer.ALLOW_SESSION),
    label: 's session',
    about: 'always allow in this session',
    scope: 'session',
  },
  {
    words: ['a', 'always'],
    means: answer(ApprovalAnswer.ALLOW_ALWAYS),
    label: 'a always',
    about: 'always allow; adds the rule or grant that the question shows',
    scope: 'always',
  },
  {
    words: ['n', 'no', ''],
    means: answer(ApprovalAnswer.DENY),
    label: 'n no',
    about: 'deny and tell the agent (also Enter alone)',
  },
  {
    words: ['d', 'details'],
    means: { kind: 'details' },
    label: 'd details',
    about: 'show the whole action',
  },
  {
    words: ['i'],
    means: { kind: 'help' },
    label: 'i WORDS',
    about: 'deny and tell the agent what to do instead: i write it to notes.md',
  },
  { words: ['?', 'h', 'help'], means: { kind: 'help' }, label: '? help', about: 'this' },
];

/** @param scopes the scopes of an approval that the engine allows; empty for this action only */
export function approvalPrompt(scopes: readonly string[] = []): string {
  const labels = offered(scopes).map(({ label }) => label);
  return `${labels.join(' · ')}, then Enter › `;
}

/** One line per key. */
export function approvalHelp(scopes: readonly string[] = []): readonly string[] {
  return offered(scopes).map(({ label, about }) => `${label.padEnd(9)}  ${about}`);
}

/** Lists the valid answers after an invalid one. */
export function approvalChoices(scopes: readonly string[] = []): string {
  const letters = offered(scopes).flatMap(({ words: [word = ''], means }) =>
    means.kind === 'answer' ? [word] : [],
  );
  return `${letters.slice(0, -1).join(', ')} or ${letters.at(-1)}`;
}

/** @returns undefined for an invalid answer, or one that was not offered */
export function approvalWord(text: string, scopes: readonly string[] = []): ApprovalWord | undefined {
  const words = /^\s*i\s+(\S.*)$/is.exec(text)?.[1]?.trim();
  if (words !== undefined) return { kind: 'instead', words };
  const word = text.trim().toLowerCase();
  return offered(scopes).find(({ words }) => words.includes(word))?.means;
}

function offered(scopes: readonly string[]): readonly Key[] {
  return KEYS.filter(({ scope }) => scope === undefined || scopes.includes(scope));
}
