import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { EngineClient } from '@bulkhead/client';
import { ApprovalAnswer, ApprovalMode, Delivery } from '@bulkhead/protocol/client';
import { startedActions } from './audited.ts';
import type { CrashHome } from './crash-home.ts';
import type { CrashPlan, Story } from './crash-plan.ts';
import { createJob, fileOf, type Job, removedBy, textBefore } from './job.ts';
import type { JobModel } from './job-model.ts';
import { type Judgement, judge } from './oracle.ts';
import { type StoredRow, StoredSessions } from './stored-session.ts';
import { Striker } from './striker.ts';
import { NOTES, undoProblems } from './undo-problems.ts';

/** A round that has not settled by then never will. */
const ROUND_MS = 150_000;
const ORPHAN_MS = 20_000;
const POLL_MS = 100;

export interface RoundResult extends Judgement {
  /** Names of the deaths that happened: `point intent.after`, `agent at effect.begun`, `engine at a moment`. */
  readonly kills: readonly string[];
  readonly acknowledged: number;
  readonly session: string;
  /** Milliseconds after which agents that were killed had a successor. */
  readonly respawnMs: readonly number[];
}

interface Sent {
  readonly id: string;
  acknowledged: boolean;
}

/**
 * One round: a session, what people say in it, what dies meanwhile, and the judgement once everything has settled.
 */
export class CrashRound {
  readonly #home: CrashHome;
  readonly #model: JobModel;
  readonly #plan: CrashPlan;
  readonly #name: string;
  readonly #folder: string;
  readonly #jobs: Job[] = [];
  readonly #sent: Sent[] = [];
  readonly #answered = new Set<string>();
  #session = '';

  /** @param name of the round: letters and digits, used for everything that is made for it */
  constructor(home: CrashHome, model: JobModel, plan: CrashPlan, name: string) {
    this.#home = home;
    this.#model = model;
    this.#plan = plan;
    this.#name = name;
    this.#folder = home.folder(name);
    writeFileSync(join(this.#folder, NOTES.name), NOTES.text);
  }

  async run(): Promise<RoundResult> {
    const { sessionId } = await this.#home.call((client) =>
      client.call('createSession', { workingFolder: this.#folder }),
    );
    this.#session = sessionId;
    const striker = new Striker(this.#home, this.#plan.strikes);
    let told = false;
    const work = this.#tell(this.#plan.story).then(() => {
      told = true;
      return this.#untilSettled();
    });
    const violations: string[] = [];
    try {
      await Promise.all([striker.strike(() => told && this.#isSettled()), work]);
      // A process that was struck after everything had settled must come back too.
      await this.#untilSettled();
    } catch (error) {
      violations.push(`it did not settle: ${String(error)}`);
    }
    this.#home.disarm();
    violations.push(...(await this.#orphans()));
    const { violations: more, actions } = this.#judge();
    if (violations.length + more.length === 0) violations.push(...(await this.#undoProblems()));
    return {
      violations: [...violations, ...more],
      actions,
      kills: striker.kills,
      acknowledged: this.#acknowledged().length,
      session: this.#session,
      respawnMs: striker.respawnMs,
    };
  }

  async #undoProblems(): Promise<readonly string[]> {
    const session = { id: this.#session, folder: this.#folder, jobs: this.#jobs };
    return await undoProblems(this.#home, session);
  }

  /** Judges it again: what has settled must stay as it is. */
  judgeAgain(): Judgement {
    return this.#judge();
  }

  async #tell(story: Story): Promise<void> {
    const { random } = this.#plan;
    if (story === 'talk') return this.#talk();
    if (story === 'long') return this.#long();
    const rounds = this.#plan.rounds ?? random.between(2, 4);
    await this.#send(this.#job(rounds, story));
    if (story === 'plain' || story === 'flaky' || story === 'cut' || story === 'ask') return;
    await sleep(random.below(250));
    if (story === 'steer') await this.#send(this.#job(1, story), Delivery.STEER);
    if (story === 'queue') await this.#send(this.#job(1, story));
    if (story === 'queue') await this.#send(this.#job(1, story));
    if (story === 'interrupt') await this.#send(this.#job(1, story), Delivery.INTERRUPT);
    if (story === 'cancel')
      await this.#home.tryOnce((client) => client.call('cancelRun', { sessionId: this.#session }));
    if (story === 'stop')
      await this.#home.tryOnce((client) => client.call('stop', { restart: random.chance(0.5) }));
  }

  async #talk(): Promise<void> {
    for (let exchange = 0; exchange < 3; exchange += 1) await this.#send('hello');
  }

  async #long(): Promise<void> {
    for (let exchange = 0; exchange < 3; exchange += 1) await this.#send('hello '.repeat(2_000));
    await this.#untilSettled();
    await this.#home.tryOnce((client) => client.call('compactSession', { sessionId: this.#session }));
    await this.#send('hello again');
  }

  #job(rounds: number, story: Story): string {
    const { random } = this.#plan;
    const job = createJob(`${this.#name}j${this.#jobs.length}`, random, rounds, this.#plan.tool);
    this.#jobs.push(job);
    const first = this.#jobs.length === 1;
    this.#model.add(job, {
      flaky: first && story === 'flaky',
      cut: first && story === 'cut',
      insists: random.chance(0.3),
    });
    for (const step of job.rounds.flat()) {
      if (step.tool === 'edit') writeFileSync(join(this.#folder, fileOf(step)), textBefore(step.token));
      if (step.tool === 'bash') writeFileSync(join(this.#folder, removedBy(step.token)), 'to be removed\n');
    }
    return `job ${job.id}`;
  }

  /** Half of those who get no answer ask again, with the same id; the others never learn. */
  async #send(content: string, delivery = Delivery.UNSPECIFIED): Promise<void> {
    const { random, story } = this.#plan;
    const sent: Sent = { id: `${this.#name}-${this.#sent.length}`, acknowledged: false };
    this.#sent.push(sent);
    const request = {
      sessionId: this.#session,
      messageId: sent.id,
      content,
      delivery,
      options: { approve: story === 'ask' ? ApprovalMode.ASK : ApprovalMode.ALLOW },
    };
    const persistent = random.chance(0.5);
    const send = (client: EngineClient) => client.call('sendMessage', request);
    const answer = persistent ? await this.#home.call(send) : await this.#home.tryOnce(send);
    sent.acknowledged = answer !== undefined;
  }

  #acknowledged(): readonly string[] {
    return this.#sent.filter(({ acknowledged }) => acknowledged).map(({ id }) => id);
  }

  async #untilSettled(): Promise<void> {
    const end = performance.now() + ROUND_MS;
    while (!this.#isSettled()) {
      if (performance.now() > end) throw new Error(`not within ${ROUND_MS / 1_000} s: ${this.#whatIsOpen()}`);
      await this.#home.call((client) => client.call('status', {}));
      await this.#answerQuestions();
      await sleep(POLL_MS);
    }
    await this.#home.call((client) => client.call('status', {}));
  }

  async #answerQuestions(): Promise<void> {
    const rows = this.#rows();
    const decided = new Set(
      rows.filter(({ type }) => type === 'approval_decided').map(({ body }) => body['approval']),
    );
    const open = rows.filter(
      ({ type, body }) => type === 'approval_requested' && !decided.has(body['approval']),
    );
    for (const { body } of open) {
      const approval = String(body['approval']);
      const mayDecide = !this.#answered.has(approval);
      if (!mayDecide) continue;
      this.#answered.add(approval);
      const yes = this.#plan.story === 'ask' || this.#plan.random.chance(0.5);
      await this.#home.tryOnce((client) =>
        client.call('decideApproval', {
          sessionId: this.#session,
          approvalId: approval,
          actionHash: String(body['hash']),
          answer: yes ? ApprovalAnswer.ALLOW_ONCE : ApprovalAnswer.DENY,
        }),
      );
    }
  }

  #isSettled(): boolean {
    const rows = this.#rows();
    const idsOf = (type: string) => rows.filter((row) => row.type === type).map(({ messageId }) => messageId);
    const settled = new Set(idsOf('settled'));
    const accepted = idsOf('input_accepted');
    const expected = this.#acknowledged();
    return accepted.every((id) => settled.has(id)) && expected.every((id) => settled.has(id));
  }

  #whatIsOpen(): string {
    const last = this.#rows().slice(-3);
    return `the log ends with ${last.map(({ pos, type }) => `${pos} ${type}`).join(', ')}`;
  }

  async #orphans(): Promise<readonly string[]> {
    const end = performance.now() + ORPHAN_MS;
    for (;;) {
      const left = this.#home.processes.orphans();
      if (left.length === 0) return [];
      if (performance.now() > end) return left.map((one) => `an orphan is left: ${one}`);
      await sleep(POLL_MS);
    }
  }

  #rows(): readonly StoredRow[] {
    using stored = new StoredSessions(this.#home.layout.database);
    return stored.read(this.#session).rows;
  }

  #judge(): Judgement {
    using stored = new StoredSessions(this.#home.layout.database);
    return judge(stored.read(this.#session), {
      folder: this.#folder,
      jobs: this.#jobs,
      acknowledged: this.#acknowledged(),
      audited: startedActions(this.#home.layout.audit),
    });
  }
}
