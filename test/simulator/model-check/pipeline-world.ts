import { OWNER } from '@bulkhead/actions/approvals/approver';
import type { PipelineParts, TokenTable } from '@bulkhead/actions/testing';
import type { AuditInput } from '@bulkhead/audit';
import { BulkheadError, type DurableEventBody, type ToolHostCall, type ToolResult } from '@bulkhead/protocol';
import { type ActionIntent, recordOfEvent } from '@bulkhead/protocol/records';
import { ActionLog } from './action-log.ts';
import { type AskedOf, ExecutionOracle } from './execution-oracle.ts';
import type { Choose } from './explore.ts';
import { EXPIRY_MS, type Happening, Life, type ModelTool } from './life.ts';

/** Disturbances of an engine that may happen at any moment, each at most once per play. */
export const DISTURBANCES = ['crash', 'cancel', 'time passes', 'file changes', 'audit breaks'] as const;
export type Disturbance = (typeof DISTURBANCES)[number];

export interface WorldOptions {
  readonly tool: ModelTool;
  /** The possible disturbances. */
  readonly kinds: readonly Disturbance[];
  /** Limit of disturbances per play. */
  readonly disturbances: number;
  /** Number of concurrent calls of the same action. */
  readonly calls: number;
  /** True if every part works: then only the order of answers matters. */
  readonly healthy?: boolean;
  readonly database: TokenTable;
  /** Breaks a part deliberately: the check must detect it. */
  readonly broken?: (parts: PipelineParts) => Partial<PipelineParts>;
  /** Breaks recovery deliberately: it reports no unknown outcome. */
  readonly forgetsDoubt?: boolean;
}

/**
 * An engine's pipeline, approvals, tokens and recovery's judgement, all real, in a world that
 * chooses each next event: verdicts, answers, time, failures and crashes, in every order.
 */
export class PipelineWorld {
  readonly oracle = new ExecutionOracle();
  /** The choices, in order. */
  readonly trace: string[] = [];
  readonly #options: WorldOptions;
  readonly #choose: Choose;
  readonly #time = { wall: 1_000_000, monotonic: 0 };
  readonly #log = new ActionLog();
  readonly #left: Set<Disturbance>;
  #file = 'before';
  #effects = 0;
  #ids = 0;
  #running = 0;
  /** How often the model retries an unknown outcome. */
  #again = 1;
  #auditBroken = false;
  #life: Life;

  constructor(options: WorldOptions, choose: Choose) {
    this.#options = options;
    this.#choose = choose;
    this.#left = new Set(options.kinds);
    this.#life = this.#begin(1, new Set());
  }

  /** Runs everything that can happen. */
  async play(): Promise<void> {
    for (let call = 0; call < this.#options.calls; call += 1) this.#propose(this.#life);
    for (;;) {
      // No real input or output happens here: all microtasks finish between two turns of the event
      // loop.
      await new Promise((resolve) => setImmediate(resolve));
      const all = this.#running === 0 ? [] : this.#happenings(this.#life);
      if (all.length === 0) return;
      const next = all[all.length === 1 ? 0 : this.#choose(all.length)];
      this.trace.push(next?.label ?? '');
      next?.run();
    }
  }

  #happenings(life: Life): readonly Happening[] {
    return [...life.happenings, ...this.#answers(life), ...this.#disturbances(life)];
  }

  #answers(life: Life): readonly Happening[] {
    const open = life.service.open.flatMap(({ id }) => {
      const asked = life.asked.get(id);
      return asked === undefined ? [] : [{ id, asked }];
    });
    const answers = open.flatMap(({ id, asked }) => [
      ...(asked.yes || asked.no ? [] : [this.#answer(life, id, asked, 'allow')]),
      ...(asked.no ? [] : [this.#answer(life, id, asked, 'deny')]),
    ]);
    // An approval takes effect in a later turn.
    if (open.some(({ asked }) => asked.yes)) answers.push({ label: 'turn', run: () => this.#turn(life) });
    // If no time can pass, an unanswered question would stay open.
    if (open.length > 0 && !this.#left.has('time passes'))
      answers.push({ label: 'run out', run: () => this.#timePasses(life) });
    return answers;
  }

  /** Facts about the open questions. */
  #open(life: Life): readonly AskedOf[] {
    return life.service.open.flatMap(({ id }) => life.asked.get(id) ?? []);
  }

  #answer(life: Life, approval: string, asked: AskedOf, decision: 'allow' | 'deny'): Happening {
    return {
      label: decision,
      run: () => {
        const target = { approval, session: 's', hash: asked.hash };
        const open = this.#open(life);
        if (!life.service.decide(target, { decision, scope: 'once', approver: OWNER })) return;
        // One answer applies to all calls that wait for it.
        for (const other of decision === 'deny' ? open : [asked])
          other[decision === 'allow' ? 'yes' : 'no'] = true;
      },
    };
  }

  #turn(life: Life): void {
    if (this.#options.tool === 'write') for (const asked of this.#open(life)) asked.yes = true;
    life.timers.fire(0);
  }

  #disturbances(life: Life): readonly Happening[] {
    const { kinds, disturbances } = this.#options;
    if (kinds.length - this.#left.size >= disturbances) return [];
    const doings: Record<Disturbance, () => void> = {
      crash: () => this.#crash(life),
      cancel: () => life.abort.abort(),
      'time passes': () => this.#timePasses(life),
      'file changes': () => {
        this.#file = 'other';
      },
      'audit breaks': () => {
        this.#auditBroken = true;
      },
    };
    return [...this.#left].map((label) => ({
      label,
      run: () => {
        this.#left.delete(label);
        doings[label]();
      },
    }));
  }

  #timePasses(life: Life): void {
    this.#time.wall += EXPIRY_MS;
    this.#time.monotonic += EXPIRY_MS;
    life.timers.fire(EXPIRY_MS);
  }

  /** The engine dies between two of its steps, and the next one starts from the disk. */
  #crash(life: Life): void {
    life.isOver = true;
    this.#running = 0;
    this.#auditBroken = false;
    const { again, doubtful } = this.#log.recover(this.#file);
    this.#life = this.#begin(life.number + 1, this.#options.forgetsDoubt === true ? new Set() : doubtful);
    for (let call = 0; call < again; call += 1) this.#propose(this.#life);
  }

  #propose(life: Life): void {
    this.#running += 1;
    const { tool } = this.#options;
    const proposal = {
      sessionId: 's',
      runId: 'r',
      callId: 'c',
      tool,
      loaded: true,
      workingFolder: '/project',
    };
    const running = life.pipeline.run(
      { ...proposal, argumentsJson: '{"path":"a"}' },
      {
        approve: 'ask',
        dryRun: false,
        offTheRecord: false,
        doubtful: life.doubtful,
        requests: ['do it'],
        signal: life.abort.signal,
        stopping: life.abort.signal,
        update: () => {},
        start: (event) => this.#published(life, [event]),
        publish: (...events) => this.#published(life, events),
        intend: (intent) => this.#intended(life, intent),
      },
    );
    running.then(
      ({ completed }) => this.#ended(life, completed),
      // The run can't be recorded: the engine ends.
      () => (life.isOver ? undefined : this.#crash(life)),
    );
  }

  #published(life: Life, events: readonly DurableEventBody[]): void {
    if (life.isOver) return;
    for (const event of events) {
      this.#log.record(recordOfEvent(event));
      if (event.type === 'action_started')
        this.oracle.proposed(event.action, {
          life: life.number,
          hash: event.hash,
          doubtful: life.doubtful.has(event.hash),
        });
      if (event.type === 'approval_requested')
        life.asked.set(event.approval, { action: event.action, hash: event.hash, yes: false, no: false });
    }
  }

  #intended(life: Life, intent: ActionIntent): void {
    if (life.isOver) return;
    this.#log.record({ type: 'action_intent', body: intent });
    this.oracle.intended(intent);
  }

  #ended(life: Life, completed: DurableEventBody): void {
    if (life.isOver) return;
    this.#log.record(recordOfEvent(completed));
    this.#running -= 1;
    const isUnknown = completed.type === 'action_completed' && completed.fate === 'unknown';
    if (!isUnknown || this.#again === 0) return;
    this.#again -= 1;
    this.#propose(life);
  }

  #begin(number: number, doubtful: ReadonlySet<string>): Life {
    const { tool, database, broken } = this.#options;
    return new Life(number, doubtful, {
      clock: { now: () => this.#time.wall, monotonic: () => this.#time.monotonic },
      tool,
      database,
      ids: () => {
        this.#ids += 1;
        return `${number}-${this.#ids}`;
      },
      changes: () => (tool === 'write' ? [{ path: 'a', before: this.#file, after: 'after' }] : []),
      judge: (life, action) => this.#judge(life, action),
      append: (life, entries) => this.#append(life, entries),
      snapshot: (life) => this.#snapshot(life),
      execute: (life, call) => this.#execute(life, call),
      ...(broken === undefined ? {} : { broken }),
    });
  }

  #judge(life: Life, action: string) {
    const say = (decision: 'allow' | 'block' | 'escalate') => () => {
      this.oracle.judged(action, decision);
      return { decision, tier: 0 as const, rule: 'chosen', reason: 'chosen', confidence: 1 };
    };
    const [allow, escalate, block] = [say('allow'), say('escalate'), say('block')];
    if (this.#options.healthy) return life.wait('judge', { escalate });
    return life.wait('judge', { allow, escalate, block, fails: () => raise('the judge is ill') });
  }

  #append(life: Life, entries: readonly AuditInput[]): Promise<[]> {
    const begun = entries.find(({ step }) => step === 'STARTED');
    if (begun !== undefined && !life.isOver && life.abort.signal.aborted)
      this.oracle.begunAfterCancel(begun.action);
    return life.wait('audit', {
      written: () => {
        if (this.#auditBroken) throw new BulkheadError('audit_failed', 'the log is broken');
        this.oracle.audited(entries);
        return [];
      },
    });
  }

  #snapshot(life: Life): Promise<void> {
    if (this.#options.healthy) return life.wait('snapshot', { kept: () => {} });
    return life.wait('snapshot', { kept: () => {}, fails: () => raise('no space') });
  }

  #execute(life: Life, call: ToolHostCall): Promise<ToolResult> {
    if (!life.isOver)
      this.oracle.executes(life.number, call, [...life.asked.values()], this.#effects < this.#options.calls);
    if (this.#options.healthy) return life.wait('execute', { done: () => this.#effect() });
    return life.wait('execute', {
      done: () => this.#effect(),
      'lost before': () => raise('the worker died'),
      'lost after': () => {
        this.#effect();
        return raise('the worker died');
      },
    });
  }

  #effect(): ToolResult {
    this.#effects += 1;
    this.#file = 'after';
    return { text: 'done', isError: false };
  }
}

function raise(why: string): never {
  throw new BulkheadError('not_available', why);
}
