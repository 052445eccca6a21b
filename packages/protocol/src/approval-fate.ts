/** How a run treats what needs a person. */
export type ApprovalMode = (typeof APPROVAL_MODES)[number];

export const APPROVAL_MODES = ['deny', 'ask', 'allow'] as const;

/** How far an approval reaches: once, for the session, or always, which writes a rule of policy. */
export type ApprovalScope = (typeof APPROVAL_SCOPES)[number];

export const APPROVAL_SCOPES = ['once', 'session', 'always'] as const;

/** What an engine says of an answer to an approval. */
export interface ApprovalFate {
  readonly accepted: boolean;
  readonly decision: string;
  readonly by: string;
  readonly scope: string;
}

/** How far a yes of another client reached, in words. */
const REACH: Readonly<Record<string, string>> = {
  once: 'allowed once',
  session: 'allowed for this session',
  always: 'allowed always',
};

/** Why there was a no, if no person said it. */
const WITHOUT_PERSON: Readonly<Record<string, string>> = {
  timeout: 'its time was up, so it was refused',
  cancel: 'its run was cancelled, so it was refused',
};

/**
 * What to tell a person whose answer did not count: what was decided instead, and by whom.
 *
 * @returns undefined if it counted
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
