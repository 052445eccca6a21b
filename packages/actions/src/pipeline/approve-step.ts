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

/** How often a person is asked about one action if its files change while they decide. */
const MAX_QUESTIONS = 3;

/** A question about an action, and the means to ask it. */
export interface ApproveParts {
  readonly approvals: ApprovalService;
  readonly tokens: TokenMint;
  readonly verdict: Verdict;
  /** The check that asked regardless of the policy; undefined if none did. */
  readonly fixed: Verdict | undefined;
  readonly trail: ActionTrail;
  readonly context: ActionContext;
  /**
   * Removes secrets, which the person must not see either: the approval still covers the hidden
   * text, by its hash.
   */
  redact(text: string): string;
  /** Why the person is asked, in words for them. */
  readonly reason: string;
  /** True if an approval for the whole run does not cover it. */
  readonly ownYes: boolean;
  /** The changes that the action would make to the present files. */
  foretell(): Promise<Foretold>;
}

/**
 * Asks a person about an action, and asks again if its files changed before the answer: an approval
 * covers only what was shown [A6, FT43].
 *
 * @returns the approved changes, planned for the present files, and the token of the approval
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

/** Who answered, and how far the answer reaches, for the log of actions. */
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
  // A rule is written unredacted, so it must not contain a secret.
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
