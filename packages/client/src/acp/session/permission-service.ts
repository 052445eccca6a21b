import {
  type AgentContext,
  methods,
  type PermissionOption,
  type RequestPermissionResponse,
} from '@agentclientprotocol/sdk';
import { approvalFate, type SessionEvent } from '@bulkhead/protocol';
import { ApprovalAnswer } from '@bulkhead/protocol/client';
import type { EngineLink } from '../../engine-link.ts';
import { codeBlock, inlineCode } from '../content/markdown.ts';
import { toolCard, wordsContent } from '../updates/tool-card.ts';
import type { RunningCall } from '../updates/tool-updates.ts';

type Question = Extract<SessionEvent, { type: 'approval_requested' }>;

export interface PermissionServiceOptions {
  readonly link: EngineLink;
  readonly client: AgentContext;
  /** The editor's id of the session. */
  readonly sessionId: string;
  readonly folder: string;
  /** Called if an answer could not be sent. */
  readonly log: (line: string) => void;
}

/** "No" comes first: it is the result of only pressing Enter. */
const NO: PermissionOption = { optionId: 'deny', name: 'No', kind: 'reject_once' };
const ANSWERS: Readonly<Record<string, ApprovalAnswer>> = {
  deny: ApprovalAnswer.DENY,
  once: ApprovalAnswer.ALLOW_ONCE,
  session: ApprovalAnswer.ALLOW_SESSION,
  always: ApprovalAnswer.ALLOW_ALWAYS,
};

/**
 * Shows the engine's questions to the person in the editor and sends the answers, each bound to the
 * hash of the shown action. Any answer except a plain "yes" denies: a closed dialog, an editor that
 * can't ask, an option that was not offered. If no answer comes, the engine's own time limit
 * refuses.
 */
export class PermissionService implements Disposable {
  readonly #options: PermissionServiceOptions;
  readonly #open = new Map<string, AbortController>();
  readonly #life = new AbortController();

  constructor(options: PermissionServiceOptions) {
    this.#options = options;
  }

  /** @param call the call in question, as the editor knows it */
  take(event: SessionEvent, call: RunningCall | undefined): void {
    if (event.type === 'approval_decided') this.#withdraw(event.approval);
    if (event.type !== 'approval_requested' || this.#open.has(event.approval)) return;
    const withdrawn = new AbortController();
    this.#open.set(event.approval, withdrawn);
    this.#decide(event, call, withdrawn.signal).catch((cause: unknown) => {
      if (!withdrawn.signal.aborted && !this.#life.signal.aborted)
        this.#options.log(`an approval could not be answered: ${String(cause)}`);
    });
  }

  #withdraw(approval: string): void {
    this.#open.get(approval)?.abort();
    this.#open.delete(approval);
  }

  async #decide(question: Question, call: RunningCall | undefined, signal: AbortSignal): Promise<void> {
    const answer = await this.#ask(question, call, signal).catch((cause: unknown) => {
      if (!signal.aborted)
        this.#options.log(`the editor did not ask, so the action is denied: ${String(cause)}`);
      return ApprovalAnswer.DENY;
    });
    if (signal.aborted) return;
    const request = {
      sessionId: question.session,
      approvalId: question.approval,
      actionHash: question.hash,
      answer,
    };
    // A decision made elsewhere withdraws the question, but not an answer already given.
    const life = this.#life.signal;
    const decided = await this.#options.link.repeat(
      (client) => client.call('decideApproval', request, life),
      life,
    );
    const fate = approvalFate(decided);
    if (fate !== undefined) this.#options.log(fate);
  }

  async #ask(
    question: Question,
    call: RunningCall | undefined,
    signal: AbortSignal,
  ): Promise<ApprovalAnswer> {
    const { link, client, sessionId, folder } = this.#options;
    const [found] = await link.repeat(
      async (engine) =>
        (await engine.call('listApprovals', { approvalId: question.approval }, signal)).approvals,
      signal,
    );
    // An action that was not shown can't be allowed.
    const whole = found?.actionHash === question.hash ? found : undefined;
    const { tool, reason, rule } = question;
    const options = whole === undefined ? [NO] : optionsFor(question);
    const card = call ?? { id: question.action, arguments: undefined, ...toolCard(tool, undefined, folder) };
    const response = await client.request(
      methods.client.session.requestPermission,
      {
        sessionId,
        toolCall: {
          toolCallId: card.id,
          title: card.title,
          kind: card.kind,
          locations: card.locations,
          status: 'pending',
          rawInput: card.arguments,
          content: [
            wordsContent(codeBlock(whole?.shown ?? question.shown)),
            wordsContent(`why: ${inlineCode(reason, 2_000)}`),
            ...(rule === undefined
              ? []
              : [wordsContent(`always would add the rule: ${inlineCode(rule, 2_000)}`)]),
          ],
        },
        options,
      },
      { cancellationSignal: signal, stopWaitingOnCancel: true },
    );
    return answerOf(response, options);
  }

  [Symbol.dispose](): void {
    this.#life.abort();
    for (const approval of [...this.#open.keys()]) this.#withdraw(approval);
  }
}

function optionsFor({ scopes = [] }: Question): PermissionOption[] {
  const once: PermissionOption = { optionId: 'once', name: 'Allow once', kind: 'allow_once' };
  const session: PermissionOption = {
    optionId: 'session',
    name: 'Always allow in this session',
    kind: 'allow_always',
  };
  const always: PermissionOption = {
    optionId: 'always',
    name: 'Always allow (adds the rule or grant that it names)',
    kind: 'allow_always',
  };
  return [
    NO,
    once,
    ...(scopes.includes('session') ? [session] : []),
    ...(scopes.includes('always') ? [always] : []),
  ];
}

/** Denies for everything but an offered option. */
function answerOf(
  { outcome }: RequestPermissionResponse,
  offered: readonly PermissionOption[],
): ApprovalAnswer {
  if (outcome.outcome !== 'selected') return ApprovalAnswer.DENY;
  const option = offered.find(({ optionId }) => optionId === outcome.optionId);
  return option === undefined ? ApprovalAnswer.DENY : (ANSWERS[option.optionId] ?? ApprovalAnswer.DENY);
}
