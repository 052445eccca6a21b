import { verifyAuditLog } from '@bulkhead/audit';
import type { ScriptedModelServer } from '@bulkhead/testkit';
import { CrashHome } from './crash-home.ts';
import { type CrashPlan, crashPlan } from './crash-plan.ts';
import { CrashRound, type RoundResult } from './crash-round.ts';
import { JobModel } from './job-model.ts';
import { StoredSessions } from './stored-session.ts';

/** So many rounds share the checks of the whole database and audit log. */
const WHOLE_EVERY = 20;

export interface CampaignOptions {
  /** Folder of the fault build. */
  readonly build: string;
  readonly seed: number;
  /** More of `config.yaml`. */
  readonly config?: string;
}

/** One home on which round follows round, with a model that knows the jobs of all of them. */
export class Campaign implements AsyncDisposable {
  readonly #seed: number;
  readonly #model: JobModel;
  readonly #server: ScriptedModelServer;
  readonly home: CrashHome;
  readonly #rounds: CrashRound[] = [];
  #count = 0;

  private constructor(model: JobModel, server: ScriptedModelServer, home: CrashHome, seed: number) {
    this.#model = model;
    this.#server = server;
    this.home = home;
    this.#seed = seed;
  }

  static async open({ build, seed, config = '' }: CampaignOptions): Promise<Campaign> {
    const model = new JobModel();
    const server = await model.serve();
    const chat = `{ provider: openai-compatible, model: m, baseUrl: '${server.url}/v1' }`;
    const retry = 'retry: { baseDelaySeconds: 0.2, maxDelaySeconds: 1 }';
    const home = new CrashHome(build, `models: { chat: ${chat} }\n${retry}\n${config}`);
    return new Campaign(model, server, home, seed);
  }

  /** @param number decides with the seed what happens; `plan` may say otherwise */
  async round(number: number, plan: CrashPlan = crashPlan(this.#seed, number)): Promise<RoundResult> {
    const problems = this.#model.problems.length;
    this.#count += 1;
    const round = new CrashRound(this.home, this.#model, plan, `r${number}n${this.#count}`);
    this.#rounds.push(round);
    const result = await round.run();
    const violations = [
      ...result.violations,
      ...this.#model.problems
        .slice(problems)
        .map((problem) => `the model was sent a broken conversation: ${problem}`),
      ...(this.#count % WHOLE_EVERY === 0 ? await this.#wholeProblems() : []),
    ];
    if (violations.length > 0) this.home.keep();
    return { ...result, violations };
  }

  /** Checks at the end that all sessions are as they were judged, and database and audit log are whole. */
  async endProblems(): Promise<readonly string[]> {
    const again = this.#rounds.flatMap((round) => round.judgeAgain().violations);
    return [...again, ...(await this.#wholeProblems())];
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.home[Symbol.asyncDispose]();
    await this.#server.close();
  }

  async #wholeProblems(): Promise<readonly string[]> {
    const { layout } = this.home;
    using stored = new StoredSessions(layout.database);
    const integrity = stored.integrity();
    const audit = await verifyAuditLog(layout.audit);
    return [
      ...(integrity === 'ok' ? [] : [`the database is damaged: ${integrity}`]),
      ...(audit.ok ? [] : [`the audit log is broken: ${JSON.stringify(audit.firstBad)}`]),
    ];
  }
}
