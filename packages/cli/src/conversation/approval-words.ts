import { ApprovalAnswer } from '@bulkhead/protocol/client';

/** What a person may say at a question: an answer to it, or something about it. */
export type ApprovalWord =
  | { readonly kind: 'answer'; readonly answer: ApprovalAnswer }
  /** To see all of it. */
  | { readonly kind: 'details' }
  | { readonly kind: 'help' };

interface Key {
  readonly words: readonly string[];
  readonly means: ApprovalWord;
  readonly label: string;
  readonly about: string;
  /** Offered only if the engine says that a yes may reach so far. */
  readonly scope?: string;
}

const answer = (given: ApprovalAnswer): ApprovalWord => ({ kind: 'answer', answer: given });

const KEYS: readonly Key[] = [
  {
    words: ['y', 'yes'],
    means: answer(ApprovalAnswer.ALLOW_ONCE),
    label: 'y once',
    about: 'yes, this once, exactly what is shown',
  },
  {
    words: ['s', 'session'],
    means: answer(ApprovalAnswer.ALLOW_SESSION),
    label: 's session',
    about: 'yes, and the same again in this session without asking',
    scope: 'session',
  },
  {
    words: ['a', 'always'],
    means: answer(ApprovalAnswer.ALLOW_ALWAYS),
    label: 'a always',
    about: 'yes, and a rule is written to policies/always.yaml, so that this is not asked again',
    scope: 'always',
  },
  {
    words: ['n', 'no', ''],
    means: answer(ApprovalAnswer.DENY),
    label: 'n no',
    about: 'no (Enter alone, too): it is not done, and the agent is told so',
  },
  {
    words: ['d', 'details'],
    means: { kind: 'details' },
    label: 'd details',
    about: 'all of it, nothing cut',
  },
  { words: ['?', 'h', 'help'], means: { kind: 'help' }, label: '? help', about: 'this' },
];

/** @param scopes how far a yes may reach, as the engine says; nothing for this once */
export function approvalPrompt(scopes: readonly string[] = []): string {
  const labels = offered(scopes).map(({ label }) => label);
  return `${labels.join(' · ')}, then Enter › `;
}

/** A line for each key. */
export function approvalHelp(scopes: readonly string[] = []): readonly string[] {
  return offered(scopes).map(({ label, about }) => `${label.padEnd(9)}  ${about}`);
}

/** What counts as an answer, for whoever gave none. */
export function approvalChoices(scopes: readonly string[] = []): string {
  const letters = offered(scopes).flatMap(({ words: [word = ''], means }) =>
    means.kind === 'answer' ? [word] : [],
  );
  return `${letters.slice(0, -1).join(', ')} or ${letters.at(-1)}`;
}

/** @returns undefined for what is no answer, or one that was not offered */
export function approvalWord(text: string, scopes: readonly string[] = []): ApprovalWord | undefined {
  const word = text.trim().toLowerCase();
  return offered(scopes).find(({ words }) => words.includes(word))?.means;
}

function offered(scopes: readonly string[]): readonly Key[] {
  return KEYS.filter(({ scope }) => scope === undefined || scopes.includes(scope));
}
