import {
  type Action,
  type CommandEffects,
  type ObservedChange,
  type Redaction,
  type Settlement,
  transactionFolder,
} from '@bulkhead/protocol';
import type { ApprovalService } from '../approvals/approval-service.ts';
import type { TokenMint } from '../approvals/approval-tokens.ts';
import { folderFacts } from '../transactions/folder-facts.ts';
import { judgeEffects } from '../transactions/judge-effects.ts';
import { countLosses, type Losses, lossesOf } from '../transactions/losses.ts';
import { dropText, effectsVerdict, shownEffects } from '../transactions/settle-effects.ts';
import type { ActionContext } from './action-context.ts';
import { verdictEvent } from './action-events.ts';
import type { ActionTrail } from './action-trail.ts';
import { askPerson } from './ask-person.ts';
import { authorise, spend } from './authorisation.ts';
import { changedPaths } from './changed-paths.ts';
import type { NeedStep } from './need-step.ts';
import { noSnapshotText, Refusal, whoDenied } from './refusal.ts';
import type { LabelStage, SnapshotStage } from './stages.ts';
import { textDigest } from './text-digest.ts';

interface SettleParts {
  readonly approvals: ApprovalService;
  readonly tokens: TokenMint;
  readonly snapshots: SnapshotStage;
  readonly labels: Pick<LabelStage, 'wrote' | 'deleted' | 'goingOn'>;
  readonly redaction: Pick<Redaction, 'redact'>;
}

/** The command whose effects are decided about. */
interface SettledCommand {
  readonly action: Action;
  /** Version of the policy that judged the action. */
  readonly policy: string;
  readonly trail: ActionTrail;
  readonly context: ActionContext;
  /** Offers a person what the command lacked, before anything else is decided. */
  readonly offer: NeedStep;
}

/** Effects that may be kept; `spend` uses up the approval, if a person had to give one. */
interface Kept {
  readonly commit: true;
  /** True if the question about them named what is lost. */
  readonly isLossAllowed?: boolean;
  spend?(): void;
}

/**
 * Decides about the effects of one command before any is kept [B2]: judges them, asks a person if
 * needed, and writes the audit log first. An error drops the effects [A4].
 */
export class SettleStep {
  readonly #approvals: ApprovalService;
  readonly #snapshots: SnapshotStage;
  readonly #tokens: TokenMint;
  readonly #labels: Pick<LabelStage, 'wrote' | 'deleted' | 'goingOn'>;
  readonly #policy: string;
  readonly #redaction: Pick<Redaction, 'redact'>;
  readonly #action: Action;
  readonly #trail: ActionTrail;
  readonly #context: ActionContext;
  readonly #offer: NeedStep;
  #writer: Action;
  #refused = false;
  #deleted: readonly string[] = [];
  #failure: unknown;

  constructor(
    { approvals, tokens, snapshots, labels, redaction }: SettleParts,
    { action, policy, trail, context, offer }: SettledCommand,
  ) {
    this.#offer = offer;
    this.#approvals = approvals;
    this.#snapshots = snapshots;
    this.#tokens = tokens;
    this.#labels = labels;
    this.#policy = policy;
    this.#redaction = redaction;
    this.#action = action;
    this.#writer = action;
    this.#trail = trail;
    this.#context = context;
  }

  /** True once protection or a person has refused the effects. */
  get refused(): boolean {
    return this.#refused;
  }

  /** All effects were kept: the deleted files and their labels are gone. */
  kept(): void {
    this.#labels.deleted(this.#writer, this.#deleted);
  }

  #pathsOf(changes: readonly ObservedChange[]): readonly string[] {
    return changedPaths(transactionFolder(this.#action.metadata), changes);
  }

  /** Whose reads the changes carry on. */
  #writerOf({ goneOn }: CommandEffects): Action {
    if (goneOn === undefined) return this.#action;
    const writer = this.#labels.goingOn.actionOf(goneOn.action);
    if (writer === undefined) throw new Refusal('it is not known which action began it', false);
    return writer;
  }

  /**
   * Throws the error that prevented recording the decision: nothing was kept then, and the run must
   * stop.
   */
  rethrow(): void {
    if (this.#failure !== undefined) throw this.#failure;
  }

  async settle(effects: CommandEffects): Promise<Settlement> {
    try {
      this.#writer = this.#writerOf(effects);
      const losses = lossesOf(effects, this.#snapshots.earlierLosses(this.#action));
      const settlement = await this.#decide(effects, losses);
      return settlement.commit ? await this.#keep(effects, losses, settlement) : settlement;
    } catch (error) {
      if (error instanceof Refusal) return this.#refuse(error.message);
      this.#failure = error;
      throw error;
    }
  }

  /** The snapshot of replaced files is on the disk first; otherwise nothing is kept [U2]. */
  async #keep(
    effects: CommandEffects,
    losses: Losses,
    { spend, isLossAllowed = false }: Kept,
  ): Promise<Settlement> {
    try {
      const lost = { count: countLosses(losses), isAllowed: isLossAllowed };
      await this.#snapshots.takeEffects(this.#action, effects, lost);
    } catch (error) {
      return { commit: false, reason: noSnapshotText(error) };
    }
    spend?.();
    const written = effects.changes.filter(({ what }) => what !== 'deleted' && what !== 'metadata');
    this.#labels.wrote(this.#writer, this.#pathsOf(written));
    this.#deleted = this.#pathsOf(effects.changes.filter(({ what }) => what === 'deleted'));
    return { commit: true };
  }

  async #decide(
    effects: CommandEffects,
    losses: Losses,
  ): Promise<Kept | Extract<Settlement, { commit: false }>> {
    const action = this.#action;
    const repeated = await this.#offer.offer(effects);
    if (repeated === 'granted') return { commit: false, reason: 'it is run again' };
    if (repeated === 'denied') this.#refused = true;
    const judged = judgeEffects(effects, folderFacts(transactionFolder(action.metadata)), losses);
    const facts = { about: 'effects', changes: effects.changes.length };
    if (judged.decision === 'commit') {
      this.#trail.note('EVALUATED', { ...facts, decision: 'allow' });
      return { commit: true };
    }
    const verdict = effectsVerdict(judged);
    this.#trail.note('EVALUATED', { ...facts, decision: verdict.decision, rule: verdict.rule });
    this.#context.publish(verdictEvent(action, verdict));
    await this.#trail.commit();
    if (verdict.decision === 'block') return this.#refuse(dropText(`Blocked by ${verdict.rule}`, verdict));
    const redact = (text: string) => this.#redaction.redact(text);
    const shown = redact(shownEffects(action, effects, judged.findings, redact));
    const question = { shown, full: () => shown, reason: redact(verdict.reason), scopes: ['once'] as const };
    const outcome = await askPerson(this.#approvals, action, question, this.#context);
    const { by } = outcome;
    if (outcome.decision === 'deny') {
      this.#trail.note('DENIED', { by, about: 'effects' });
      await this.#trail.commit();
      return this.#refuse(dropText(whoDenied(by), verdict));
    }
    // Digest of everything, including secret text that the person does not see.
    const changes = textDigest(shownEffects(action, effects, judged.findings, (text) => text));
    const token = authorise(this.#tokens, action, changes, outcome, { policy: this.#policy });
    this.#trail.note('APPROVED', { by, about: 'effects', nonce: token.nonce });
    await this.#trail.commit();
    const target = { digest: action.hash, changes, session: action.sessionId, action: action.id };
    const isLossAllowed = judged.namesLoss === true;
    return { commit: true, isLossAllowed, spend: () => spend(this.#tokens, token, target) };
  }

  #refuse(reason: string): Extract<Settlement, { commit: false }> {
    this.#refused = true;
    return { commit: false, reason };
  }
}
