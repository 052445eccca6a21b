import { ApprovalAnswer } from '@bulkhead/protocol/client';

/** An answer that a person can choose. */
export interface Option {
  readonly key: string;
  readonly label: string;
  readonly about: string;
  /** Absent for the option that takes words. */
  readonly answer?: ApprovalAnswer;
  /** Of one that allows more than the action. */
  readonly scope?: string;
}

export const DENY: Option = {
  key: 'n',
  label: 'Deny',
  about: 'and tell the agent',
  answer: ApprovalAnswer.DENY,
};

export const OPTIONS: readonly Option[] = [
  { key: 'y', label: 'Allow once', about: 'exactly as shown', answer: ApprovalAnswer.ALLOW_ONCE },
  {
    key: 's',
    label: 'Always allow in this session',
    about: 'does not ask for this action again',
    answer: ApprovalAnswer.ALLOW_SESSION,
    scope: 'session',
  },
  {
    key: 'a',
    label: 'Always allow',
    about: 'adds a rule to the policy',
    answer: ApprovalAnswer.ALLOW_ALWAYS,
    scope: 'always',
  },
  DENY,
  { key: 'i', label: 'No, do this instead', about: 'denies, and sends your words to the agent' },
];
