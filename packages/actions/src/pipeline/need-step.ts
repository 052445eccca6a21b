import {
  type Action,
  type CommandEffects,
  describeError,
  type Redaction,
  type Verdict,
  visibleText,
} from '@bulkhead/protocol';
import type { ApprovalService } from '../approvals/approval-service.ts';
import type { TokenMint } from '../approvals/approval-tokens.ts';
import type { ApprovalOutcome } from '../approvals/approver.ts';
import { fullAction, shownAction } from '../approvals/shown-action.ts';
import { fetchingPattern } from '../grants/fetching-pattern.ts';
import type { GrantAsked } from '../grants/grant.ts';
import type { ActionContext, Repeat } from './action-context.ts';
import { verdictEvent } from './action-events.ts';
import type { ActionTrail } from './action-trail.ts';
import { askPerson } from './ask-person.ts';
import { authorise, spend } from './authorisation.ts';
import { objectionOf } from './objection-of.ts';
import type { LabelStage } from './stages.ts';
import { textDigest } from './text-digest.ts';

interface NeedParts {
  readonly approvals: ApprovalService;
  readonly tokens: TokenMint;
  readonly redaction: Pick<Redaction, 'redact'>;
  readonly labels: Pick<LabelStage, 'decide'>;
  readonly onError?: (error: unknown) => void;
}

/** Hosts of one question; a command that asked for more names them itself. */
const MAX_TARGETS = 16;

/**
 * Offers a person, once for each action, to allow what a failed command lacked and to run it again.
 * Only a person's own answer counts: no mode of a run answers for a host that a process chose.
 */
export class NeedStep {
  readonly #parts: NeedParts;
  readonly #action: Action;
  readonly #policy: string;
  readonly #trail: ActionTrail;
  readonly #context: ActionContext;
  #repeat: Repeat | undefined;

  /** @param policy version of the policy that judged the action */
  constructor(parts: NeedParts, action: Action, policy: string, trail: ActionTrail, context: ActionContext) {
    this.#parts = parts;
    this.#action = action;
    this.#policy = policy;
    this.#trail = trail;
    this.#context = context;
  }

  /** The permission to make the call again; undefined without one. */
  get repeat(): Repeat | undefined {
    return this.#repeat;
  }

  /** @returns undefined if no person was asked */
  async offer(effects: CommandEffects): Promise<'granted' | 'denied' | undefined> {
    const asked = this.#askedFor(effects);
    if (asked === undefined || this.#isFutile(asked)) return undefined;
    const action = this.#action;
    const verdict = lacking(asked);
    this.#trail.note('EVALUATED', { about: 'needs', decision: 'escalate', targets: asked.targets });
    this.#context.publish(verdictEvent(action, verdict));
    await this.#trail.commit();
    const outcome = await this.#ask(asked, verdict, effects.reached ?? []);
    if (outcome.decision === 'deny') {
      this.#trail.note('DENIED', { by: outcome.by, about: 'needs' });
      await this.#trail.commit();
      return 'denied';
    }
    await this.#grant(asked, outcome);
    return 'granted';
  }

  #askedFor({ needs = [], problems, stopped }: CommandEffects): GrantAsked | undefined {
    const { approve, repeated } = this.#context;
    const { command = '', background, granted = [] } = this.#action.metadata;
    if (this.#parts.approvals.grants === undefined || repeated === undefined || approve !== 'ask')
      return undefined;
    if (needs.length === 0 || problems.length > 0 || stopped !== undefined || background === true)
      return undefined;
    const targets = [...new Set(needs.map(({ target }) => target))].toSorted();
    // A name that holds a secret can be neither shown nor stored; a granted one was refused for another reason.
    const { redact } = this.#parts.redaction;
    const isTellable = [command, ...targets].every((text) => redact(text) === text);
    if (!isTellable || targets.length > MAX_TARGETS || targets.some((one) => granted.includes(one)))
      return undefined;
    const pattern = fetchingPattern(command);
    return { kind: 'hosts', targets, ...(pattern === undefined ? { command } : { pattern }) };
  }

  /** True if information flow would block the repetition: an answer would have no effect. */
  #isFutile({ targets }: GrantAsked): boolean {
    const { metadata } = this.#action;
    const granted = [...(metadata.granted ?? []), ...targets].toSorted();
    const repeated = { ...this.#action, metadata: { ...metadata, granted } };
    const objection = objectionOf(this.#parts.labels.decide(repeated));
    if (objection?.decision !== 'block') return false;
    const { decision, rule } = objection;
    this.#trail.note('EVALUATED', { about: 'needs', decision, rule, targets });
    return true;
  }

  async #ask(asked: GrantAsked, { reason }: Verdict, reached: readonly string[]): Promise<ApprovalOutcome> {
    const redact = (text: string) => this.#parts.redaction.redact(text);
    const keeps = asked.pattern === undefined ? undefined : this.#forGood(asked);
    const facts = [
      `needs network: ${asked.targets.join(', ')}`,
      ...(reached.length === 0 ? [] : [`has reached: ${reached.join(', ')}`]),
      ...(keeps === undefined ? [SAME_TEXT] : []),
    ];
    const full = () => [
      ...facts,
      ...(keeps === undefined ? [] : [`always adds a ${keeps}`]),
      // Its last line is the exact action.
      fullAction(this.#action, '', redact),
    ];
    const question = {
      shown: redact([shownAction(this.#action, '', redact), ...facts].join('\n')),
      full: () => redact(full().join('\n')),
      reason,
      scopes: keeps === undefined ? (['once', 'session'] as const) : (['once', 'session', 'always'] as const),
      ...(keeps === undefined ? {} : { keeps }),
    };
    return await askPerson(this.#parts.approvals, this.#action, question, this.#context);
  }

  #forGood({ pattern, targets }: GrantAsked): string {
    const where = visibleText(this.#action.metadata.workingFolder, false);
    return `grant for every \`${pattern}\` in ${where} to reach ${targets.join(', ')}`;
  }

  /** The log of actions has the permission before it acts. */
  async #grant(asked: GrantAsked, outcome: ApprovalOutcome): Promise<void> {
    const action = this.#action;
    const { by, scope = 'once', approver } = outcome;
    const who = approver === undefined ? by : `${approver.channel}/${approver.id}`;
    const changes = textDigest(JSON.stringify([asked.kind, asked.targets, asked.pattern ?? '', scope]));
    const token = authorise(this.#parts.tokens, action, changes, outcome, { policy: this.#policy });
    const { targets, pattern } = asked;
    const said = { targets, scope, ...(pattern === undefined ? {} : { pattern }) };
    this.#trail.note('APPROVED', { by, about: 'needs', approver: who, nonce: token.nonce, ...said });
    await this.#trail.commit();
    const target = { digest: action.hash, changes, session: action.sessionId, action: action.id };
    spend(this.#parts.tokens, token, target);
    const remark = scope === 'once' ? undefined : this.#store(asked, scope, who);
    this.#repeat = { action: action.id, granted: targets, ...(remark === undefined ? {} : { remark }) };
  }

  /** @returns a remark if it could not be stored: the person allowed this repetition all the same */
  #store(asked: GrantAsked, scope: 'session' | 'always', who: string): string | undefined {
    try {
      this.#parts.approvals.grants?.keep(asked, scope === 'always' ? 'folder' : 'session', this.#action, who);
      return undefined;
    } catch (error) {
      this.#parts.onError?.(error);
      const reason = this.#parts.redaction.redact(describeError(error));
      return `[the permission serves this time only, since it could not be stored: ${reason}]`;
    }
  }
}

/** A grant for an exact text says nothing about what the text runs. */
const SAME_TEXT =
  'for the session: serves this text again, whatever the scripts and settings that it uses hold by then';

/** The one sentence of the question. */
function lacking({ targets, pattern, command = '' }: GrantAsked): Verdict {
  const what = visibleText(pattern === undefined ? oneLine(command) : `${pattern} …`, false);
  const reason = `allow \`${what}\` to reach ${targets.join(', ')}? It failed without, and runs again with it`;
  return { decision: 'escalate', tier: 0, rule: 'effects/needs', reason, confidence: 1 };
}

/** Longest command that the sentence repeats. */
const SHORT = 80;

function oneLine(command: string): string {
  const line = command.trim().replaceAll(/\s+/g, ' ');
  return line.length <= SHORT ? line : `${line.slice(0, SHORT)}…`;
}
