/** How a run treats pending approvals. */
export type ApprovalMode = (typeof APPROVAL_MODES)[number];

export const APPROVAL_MODES = ['deny', 'ask', 'allow'] as const;

/** The scope of an approval: once, for the session, or always, which writes a policy rule. */
export type ApprovalScope = (typeof APPROVAL_SCOPES)[number];

export const APPROVAL_SCOPES = ['once', 'session', 'always'] as const;

/** The engine's response to an answer to an approval. */
export interface ApprovalFate {
  readonly accepted: boolean;
  readonly decision: string;
  readonly by: string;
  readonly scope: string;
}

/** Scope of another client's approval, in words. */
const REACH: Readonly<Record<string, string>> = {
  once: 'allowed once',
  session: 'allowed for this session',
  always: 'allowed always',
};

/** Reasons of a denial without a person's answer. */
const WITHOUT_PERSON: Readonly<Record<string, string>> = {
  timeout: 'its time was up, so it was refused',
  cancel: 'its run was cancelled, so it was refused',
};

/**
 * Explains to a user why an answer had no effect: the actual decision, and who made it.
 *
 * @returns undefined if the answer took effect
 */
export function approvalFate({ accepted, decision, by, scope }: ApprovalFate): string | undefined {
  if (accepted) return undefined;
  return `your answer changed nothing: ${whatWasDecided(decision, by, scope)}`;
}

function whatWasDecided(decision: string, by: string, scope: string): string {
  if (decision === '') return 'that question is open no more';
  if (by !== 'person') return WITHOUT_PERSON[by] ?? 'it was decided without a person';
  return `it was ${decision === 'allow' ? (REACH[scope] ?? 'allowed') : 'refused'} from another of your windows`;
}
