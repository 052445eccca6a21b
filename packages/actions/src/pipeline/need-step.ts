import {
  type Action,
  type CommandEffects,
  describeError,
  type Need,
  type NeedKind,
  type Redaction,
  type ShownFolder,
  type Verdict,
} from '@bulkhead/protocol';
import type { ApprovalService } from '../approvals/approval-service.ts';
import type { TokenMint } from '../approvals/approval-tokens.ts';
import type { ApprovalOutcome } from '../approvals/approver.ts';
import { fullAction, shownAction } from '../approvals/shown-action.ts';
import { fetchingPattern } from '../grants/fetching-pattern.ts';
import { givenBy, joinGiven } from '../grants/given.ts';
import { type GrantAsked, isOfFolders, shownFolders } from '../grants/grant.ts';
import { factsAbout, forGood, lacking } from '../grants/need-words.ts';
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
  /** Questions that were answered with no: not asked again until the person has said something more. */
  readonly declined: Set<string>;
  readonly onError?: (error: unknown) => void;
}

/** Targets of one question; a command that asked for more hosts names them itself. */
const MAX_TARGETS = 16;
/** Declined questions that are remembered. */
const MAX_DECLINED = 1_000;

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
    return asked === undefined ? undefined : await this.#put(asked, effects.reached ?? []);
  }

  /**
   * Asks for files that the call itself names, before it runs.
   *
   * @returns as above
   */
  async offerFiles(files: readonly string[]): Promise<'granted' | 'denied' | undefined> {
    const { command = '' } = this.#action.metadata;
    const needs = files.map((target) => ({ kind: 'secret-file' as const, target }));
    const asked = commandAsked('secret-file', needs, command);
    return this.#mayAsk() && this.#isTellable(asked) ? await this.#put(asked, []) : undefined;
  }

  async #put(asked: GrantAsked, reached: readonly string[]): Promise<'granted' | 'denied' | undefined> {
    if (this.#parts.declined.has(this.#intentOf(asked)) || this.#isFutile(asked)) return undefined;
    const action = this.#action;
    const verdict = lacking(asked, action.metadata.command ?? '');
    this.#trail.note('EVALUATED', { about: 'needs', decision: 'escalate', targets: asked.targets });
    this.#context.publish(verdictEvent(action, verdict));
    await this.#trail.commit();
    const outcome = await this.#ask(asked, verdict, reached);
    if (outcome.decision === 'deny') {
      this.#decline(asked);
      this.#trail.note('DENIED', { by: outcome.by, about: 'needs' });
      await this.#trail.commit();
      return 'denied';
    }
    await this.#grant(asked, outcome);
    return 'granted';
  }

  #decline(asked: GrantAsked): void {
    const { declined } = this.#parts;
    if (declined.size >= MAX_DECLINED) declined.clear();
    declined.add(this.#intentOf(asked));
  }

  /** The same for all commands of a run that lack the same, up to the person's next message in it. */
  #intentOf({ kind, targets, write }: GrantAsked): string {
    return JSON.stringify([this.#action.runId, this.#context.requests.length, kind, targets, write ?? false]);
  }

  #askedFor({ needs = [], problems, stopped }: CommandEffects): GrantAsked | undefined {
    const { background, granted = [], secretFiles = [] } = this.#action.metadata;
    const { command = '', toolchains = [], folders = [] } = this.#action.metadata;
    if (!this.#mayAsk()) return undefined;
    if (needs.length === 0 || problems.length > 0 || stopped !== undefined || background === true)
      return undefined;
    const asked = firstAsked(needs, command);
    const { targets } = asked;
    const isSame = (one: ShownFolder) =>
      [...toolchains, ...folders].some(
        ({ path, identity, write }) =>
          path === one.path && identity === one.identity && (write === true || one.write !== true),
      );
    const had = asked.kind === 'hosts' ? granted : secretFiles;
    const isGiven = isOfFolders(asked)
      ? shownFolders(asked).some(isSame)
      : targets.some((one) => had.includes(one));
    // A granted one was refused for another reason.
    return this.#isTellable(asked) && !isGiven ? asked : undefined;
  }

  #mayAsk(): boolean {
    const { approve, repeated } = this.#context;
    return this.#parts.approvals.grants !== undefined && repeated !== undefined && approve === 'ask';
  }

  /** A name that holds a secret can be neither shown nor stored. */
  #isTellable({ targets }: GrantAsked): boolean {
    const { redact } = this.#parts.redaction;
    const { command = '' } = this.#action.metadata;
    return targets.length <= MAX_TARGETS && [command, ...targets].every((text) => redact(text) === text);
  }

  /** True if information flow would block the repetition: an answer would have no effect. */
  #isFutile(asked: GrantAsked): boolean {
    const { metadata } = this.#action;
    const { targets } = asked;
    const repeated = { ...this.#action, metadata: { ...metadata, ...joinGiven(metadata, givenBy(asked)) } };
    const objection = objectionOf(this.#parts.labels.decide(repeated));
    if (objection?.decision !== 'block') return false;
    const { decision, rule } = objection;
    this.#trail.note('EVALUATED', { about: 'needs', decision, rule, targets });
    return true;
  }

  async #ask(asked: GrantAsked, { reason }: Verdict, reached: readonly string[]): Promise<ApprovalOutcome> {
    const redact = (text: string) => this.#parts.redaction.redact(text);
    const keeps = forGood(asked, this.#action.metadata.workingFolder);
    const facts = factsAbout(asked, reached);
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

  /** The log of actions has the permission before it acts. */
  async #grant(asked: GrantAsked, outcome: ApprovalOutcome): Promise<void> {
    const action = this.#action;
    const { by, scope = 'once', approver } = outcome;
    const who = approver === undefined ? by : `${approver.channel}/${approver.id}`;
    const changes = textDigest(
      JSON.stringify([
        asked.kind,
        asked.targets,
        asked.identities ?? [],
        asked.write ?? false,
        asked.pattern ?? '',
        scope,
      ]),
    );
    const token = authorise(this.#parts.tokens, action, changes, outcome, { policy: this.#policy });
    const { kind, targets, pattern, write } = asked;
    const more = { ...(pattern === undefined ? {} : { pattern }), ...(write === undefined ? {} : { write }) };
    const said = { kind, targets, scope, ...more };
    this.#trail.note('APPROVED', { by, about: 'needs', approver: who, nonce: token.nonce, ...said });
    await this.#trail.commit();
    const target = { digest: action.hash, changes, session: action.sessionId, action: action.id };
    spend(this.#parts.tokens, token, target);
    const remark = scope === 'once' ? undefined : this.#store(asked, scope, who);
    this.#repeat = { action: action.id, given: givenBy(asked), ...(remark === undefined ? {} : { remark }) };
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

/** For the commands of a program and subcommand, or for one text. */
function commandAsked(kind: 'hosts' | 'secret-file', needs: readonly Need[], command: string): GrantAsked {
  const targets = [...new Set(needs.map(({ target }) => target))].toSorted();
  const pattern = fetchingPattern(command);
  return { kind, targets, ...(pattern === undefined ? { command } : { pattern }) };
}

/** Without its program or a folder, a command got nowhere: what else it lacked shows when it has that. */
function firstAsked(needs: readonly Need[], command: string): GrantAsked {
  const of = (one: NeedKind) => needs.filter(({ kind }) => kind === one);
  if (of('toolchain').length > 0) return foldersAsked('toolchain', of('toolchain'));
  const written = of('folder').filter(({ write }) => write === true);
  if (written.length > 0) return { ...foldersAsked('folder', written), write: true };
  if (of('folder').length > 0) return foldersAsked('folder', of('folder'));
  const files = of('secret-file');
  return files.length > 0
    ? commandAsked('secret-file', files, command)
    : commandAsked('hosts', of('hosts'), command);
}

function foldersAsked(kind: GrantAsked['kind'], needs: readonly Need[]): GrantAsked {
  const folders = new Map(needs.map(({ target, identity = '' }) => [target, identity]));
  const sorted = [...folders].toSorted(([one], [other]) => (one < other ? -1 : 1));
  return {
    kind,
    targets: sorted.map(([path]) => path),
    identities: sorted.map(([, identity]) => identity),
  };
}
