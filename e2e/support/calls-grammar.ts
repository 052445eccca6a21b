import type { ActionFate, SessionEvent } from '@bulkhead/protocol';

type Event<Type extends SessionEvent['type']> = Extract<SessionEvent, { type: Type }>;

interface OpenAction {
  readonly call: string;
  readonly hash: string;
  judged: boolean;
  /** Its program has received it. */
  handedOut?: true;
  /** Its effects were judged, too: it may be asked about once more. */
  effectsJudged?: true;
  /** A person is asked to allow what it lacked. */
  lacks?: boolean;
  /** The approval that is open; `decided` when none may come any more. */
  approval: { readonly id: string } | 'decided' | undefined;
}

/** Tool calls and actions of a run: each begins and ends once, inside its round. */
export class CallsGrammar {
  readonly #everMade = new Set<string>();
  readonly #calls = new Set<string>();
  readonly #actions = new Map<string, OpenAction>();
  /** The action of a call that a person allowed what it lacked. */
  readonly #lacking = new Map<string, string>();
  /** Calls that had an action, and whether they may have another: a crash kept it from being done. */
  readonly #acted = new Map<string, boolean>();
  /** Fates of the calls that a crash left open, since the run went on. */
  #fates: Record<ActionFate, number> = { executed: 0, not_executed: 0, unknown: 0 };

  /** True while a call has no output. */
  get isOpen(): boolean {
    return this.#calls.size > 0;
  }

  take(event: SessionEvent): string[] {
    switch (event.type) {
      case 'tool_call':
        return this.#made(event);
      case 'tool_delta':
        return this.#calls.has(event.call) ? [] : ['no such call is open'];
      case 'tool_output':
        return this.#answered(event);
      case 'action_started':
        return this.#started(event);
      case 'shield_verdict':
        return this.#judged(event);
      case 'approval_requested':
        return this.#asked(event);
      case 'approval_decided':
        return this.#decided(event);
      case 'client_call':
        return this.#handedOut(event);
      case 'action_completed':
        return this.#completed(event);
      default:
        return ['not expected here'];
    }
  }

  /**
   * The run goes on in another engine: no call of the first engine is under way, and each has a
   * reported fate.
   */
  resumed({ executed, notExecuted, unknown }: Event<'run_resumed'>): string[] {
    const told = JSON.stringify([executed, notExecuted, unknown]);
    const seen = JSON.stringify([this.#fates.executed, this.#fates.not_executed, this.#fates.unknown]);
    this.#fates = { executed: 0, not_executed: 0, unknown: 0 };
    return [
      ...(told === seen ? [] : [`${told} actions instead of ${seen}`]),
      ...[...this.#actions.keys()].map((action) => `action ${action} has not completed`),
    ];
  }

  /**
   * The fate of an action that was open when the engine ended is reported before anything else goes
   * on.
   */
  goesOn(): string[] {
    return Object.values(this.#fates).some((count) => count > 0) ? ['run_resumed is missing'] : [];
  }

  endOfRound(): string[] {
    return [
      ...[...this.#calls].map((call) => `call ${call} has no output`),
      ...[...this.#actions.keys()].map((action) => `action ${action} has not completed`),
    ];
  }

  #made({ call }: Event<'tool_call'>): string[] {
    const again = this.#everMade.has(call);
    this.#everMade.add(call);
    this.#calls.add(call);
    return again ? [`call ${call} was made before`] : [];
  }

  #answered({ call }: Event<'tool_output'>): string[] {
    const acting = [...this.#actions.values()].some((action) => action.call === call);
    return [
      ...(this.#calls.delete(call) ? [] : [`call ${call} is not open`]),
      ...(acting ? ['its action has not completed'] : []),
    ];
  }

  #started({ action, call, hash, repeats }: Event<'action_started'>): string[] {
    const isRepeat = repeats !== undefined && this.#lacking.get(call) === repeats;
    const twice = this.#acted.get(call) === false && !isRepeat;
    this.#lacking.delete(call);
    this.#acted.set(call, false);
    this.#actions.set(action, { call, hash, judged: false, approval: undefined });
    return [
      ...(this.#calls.has(call) ? [] : [`call ${call} is not open`]),
      ...(twice ? ['a second action for its call'] : []),
      ...(repeats === undefined || isRepeat ? [] : ['it repeats no action that was allowed what it lacked']),
    ];
  }

  #judged({ action, hash, rule, decision }: Event<'shield_verdict'>): string[] {
    const open = this.#actions.get(action);
    if (open !== undefined) open.lacks = rule === 'effects/needs';
    if (open?.lacks && decision === 'escalate') return this.#needs(open, hash);
    if (rule.startsWith('effects/')) return this.#effectsJudged(open, hash, decision);
    const problems = open?.judged === false ? [] : ['not once for an open action'];
    if (open !== undefined) open.judged = true;
    return [...problems, ...sameHash(open, hash)];
  }

  /** Before its effects are judged. */
  #needs(open: OpenAction, hash: string): string[] {
    const may = open.judged && open.effectsJudged === undefined && typeof open.approval !== 'object';
    open.approval = undefined;
    return [...(may ? [] : ['needs of no command that has run']), ...sameHash(open, hash)];
  }

  /** Of a command that was allowed and has run; only where a person must decide, or nothing is kept. */
  #effectsJudged(open: OpenAction | undefined, hash: string, decision: string): string[] {
    const may =
      open?.judged === true && open.effectsJudged === undefined && typeof open.approval !== 'object';
    if (open !== undefined) {
      open.effectsJudged = true;
      open.approval = decision === 'escalate' ? undefined : 'decided';
    }
    return [
      ...(may ? [] : ['effects of no command that has run']),
      ...(decision === 'allow' ? ['effects that may be kept are not told of'] : []),
      ...sameHash(open, hash),
    ];
  }

  #asked({ action, approval, hash }: Event<'approval_requested'>): string[] {
    const open = this.#actions.get(action);
    const problems =
      open?.judged === true && open.approval === undefined ? [] : ['not once for a judged action'];
    if (open !== undefined) open.approval = { id: approval };
    return [...problems, ...sameHash(open, hash)];
  }

  #decided({ action, approval, hash, decision }: Event<'approval_decided'>): string[] {
    const open = this.#actions.get(action);
    if (open?.lacks && decision === 'allow') this.#lacking.set(open.call, action);
    const asked = typeof open?.approval === 'object' && open.approval.id === approval;
    if (open !== undefined) open.approval = 'decided';
    return [...(asked ? [] : ['it was not asked for']), ...sameHash(open, hash)];
  }

  /** Once, after every judge and person has said yes. */
  #handedOut({ action, call }: Event<'client_call'>): string[] {
    const open = this.#actions.get(action);
    const may = open?.judged === true && open.handedOut === undefined && typeof open.approval !== 'object';
    if (open !== undefined) open.handedOut = true;
    return [
      ...(may ? [] : ['not once for an action that may be done']),
      ...(open === undefined || open.call === call ? [] : ['another call']),
    ];
  }

  #completed({ action, call, hash, success, fate }: Event<'action_completed'>): string[] {
    const open = this.#actions.get(action);
    this.#actions.delete(action);
    if (fate !== undefined) this.#fates[fate] += 1;
    if (fate === 'not_executed') this.#acted.set(call, true);
    return [
      ...(fate === undefined || success === (fate === 'executed') ? [] : ['success and fate do not agree']),
      ...((success || fate === 'unknown') && open?.judged === false ? ['it was not judged'] : []),
      ...(open?.call === call ? [] : ['no such action is open']),
      ...(typeof open?.approval === 'object' ? ['its approval was not decided'] : []),
      ...sameHash(open, hash),
    ];
  }
}

function sameHash(open: OpenAction | undefined, hash: string): string[] {
  return open === undefined || open.hash === hash ? [] : ['another hash'];
}
