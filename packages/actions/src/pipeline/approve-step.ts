import type { AuditDetails } from '@bulkhead/audit';
import type { Action, Verdict } from '@bulkhead/protocol';
import { type AnsweredRule, answeredRule, grantOf, scopesOf } from '../approvals/answered-rule.ts';
import type { ApprovalService } from '../approvals/approval-service.ts';
import type { TokenMint } from '../approvals/approval-tokens.ts';
import type { ApprovalOutcome } from '../approvals/approver.ts';
import { fullAction, shownAction } from '../approvals/shown-action.ts';
import type { ActionContext } from './action-context.ts';
import type { ActionTrail } from './action-trail.ts';
import { type AskedQuestion, askPerson } from './ask-person.ts';
import { type Authorisation, authorise, changesDigest } from './authorisation.ts';
import type { Foretold } from './foretell.ts';
import { denialText, Refusal } from './refusal.ts';

/** How often a person is asked about one action whose files change while they decide. */
const MAX_QUESTIONS = 3;

/** A question about an action, and what it takes to put it. */
export interface ApproveParts {
  readonly approvals: ApprovalService;
  readonly tokens: TokenMint;
  readonly verdict: Verdict;
  /** What asked whatever the policy says; undefined if nothing did. */
  readonly fixed: Verdict | undefined;
  readonly trail: ActionTrail;
  readonly context: ActionContext;
  /** Takes out what a person must not see either: what is hidden is still part of what they allow, by its hash. */
  redact(text: string): string;
  /** Why the person is asked, in words for them. */
  readonly reason: string;
  /** True if a yes that was given for the whole run doesn't count for it. */
  readonly ownYes: boolean;
  /** What the action would do to the files as they are now. */
  foretell(): Promise<Foretold>;
}

/**
 * Asks a person about an action, and asks again if the files it would change are other ones by the time of the answer: a yes is
 * for what was shown [A6, FT43].
 *
 * @returns the changes that were approved, as they would be made now, and the token of the yes
 * @throws Refusal if it was not approved
 */
export async function approveStep(action: Action, parts: ApproveParts): Promise<Authorisation> {
  const { approvals, tokens, verdict, trail, context, ownYes, foretell } = parts;
  await trail.commit();
  let foretold = await foretell();
  for (let asked = 1; ; asked += 1) {
    const question = questionAbout(action, foretold.text, parts);
    const outcome = await askPerson(approvals, action, question, context, ownYes);
    const details = outcomeDetails(outcome, question);
    if (outcome.decision === 'deny') {
      trail.note('DENIED', details);
      throw new Refusal(denialText(outcome.by, verdict, ownYes && context.approve === 'allow'), true);
    }
    const approved = changesDigest(foretold.changes);
    const token = authorise(tokens, action, approved, outcome, verdict);
    trail.note('APPROVED', { ...details, nonce: token.nonce });
    const now = await foretell();
    if (changesDigest(now.changes) === approved) return { changes: now.changes, token };
    if (asked === MAX_QUESTIONS) {
      throw new Refusal(
        'The files it would change kept changing while it was decided about. Nothing was done.',
        true,
      );
    }
    await trail.commit();
    foretold = now;
  }
}

/** Who answered, and how far it reaches, for the log of actions. */
function outcomeDetails(
  { by, scope, approver }: ApprovalOutcome,
  { rule }: Pick<AskedQuestion, 'rule'>,
): AuditDetails {
  return {
    by,
    ...(scope === undefined ? {} : { scope }),
    ...(approver === undefined ? {} : { approver: `${approver.channel}/${approver.id}` }),
    ...(scope === 'always' && rule !== undefined ? { wrote: rule.name } : {}),
  };
}

function questionAbout(
  action: Action,
  plan: string,
  { verdict, fixed, reason, redact }: ApproveParts,
): AskedQuestion {
  // A rule is written as it is: none with a secret in it.
  const isTellable = ({ match }: AnsweredRule): boolean =>
    Object.values(match)
      .flat()
      .every((text) => redact(text) === text);
  const scopes = scopesOf(action, verdict, fixed, isTellable);
  const rule = scopes.includes('always') ? answeredRule(action) : undefined;
  return {
    shown: redact(shownAction(action, plan, redact)),
    full: () => redact(fullAction(action, plan, redact)),
    reason: redact(reason),
    scopes,
    ...(scopes.includes('session') ? { grant: grantOf(action, verdict, fixed) } : {}),
    ...(rule === undefined ? {} : { rule }),
  };
}
