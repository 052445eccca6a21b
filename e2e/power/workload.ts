import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ScriptedModelServer } from '@bulkhead/testkit';
import { fileOf, type Job, removedBy, type Step, textBefore } from '../crash/job.ts';
import { JobModel } from '../crash/job-model.ts';
import { NOTES } from '../crash/undo-problems.ts';
import type { Watcher } from './watcher.ts';

/**
 * The messages of people in a run, and the model that does the work. Every step names its changed
 * file after itself, so doubles show.
 */
export class Workload implements AsyncDisposable {
  readonly jobs: readonly Job[];
  readonly config: string;
  readonly #server: ScriptedModelServer;

  private constructor(jobs: readonly Job[], server: ScriptedModelServer) {
    this.jobs = jobs;
    this.#server = server;
    const chat = `{ provider: openai-compatible, model: m, baseUrl: '${server.url}/v1' }`;
    this.config = `models: { title: { provider: offline, model: rules }, chat: ${chat} }\nretry: { baseDelaySeconds: 0.05 }\n`;
  }

  /** @param plans for each message its rounds, as words: `bash write` is one round with two calls */
  static async open(plans: readonly (readonly string[])[]): Promise<Workload> {
    const jobs = plans.map((rounds, index) => jobOf(`j${index}`, rounds));
    const model = new JobModel();
    for (const job of jobs) model.add(job, { flaky: false, cut: false, insists: false });
    return new Workload(jobs, await model.serve());
  }

  /** Puts what the steps need into an empty working folder. */
  prepare(folder: string): void {
    writeFileSync(join(folder, NOTES.name), NOTES.text);
    for (const step of this.jobs.flatMap(({ rounds }) => rounds.flat())) {
      if (step.tool === 'edit') writeFileSync(join(folder, fileOf(step)), textBefore(step.token));
      if (step.tool === 'bash') writeFileSync(join(folder, removedBy(step.token)), 'to be removed\n');
    }
  }

  /** Sends all messages; the last waits behind the one before it. */
  async talk(watcher: Watcher): Promise<void> {
    for (const [index, { id }] of this.jobs.entries()) {
      await watcher.send(`m-${id}`, `job ${id}`);
      if (index < this.jobs.length - 2) await watcher.settled(`m-${id}`);
    }
    for (const { id } of this.jobs) await watcher.settled(`m-${id}`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server.close();
  }
}

function jobOf(id: string, rounds: readonly string[]): Job {
  let count = 0;
  const step = (word: string): Step => {
    count += 1;
    const tool = word === 'write' || word === 'edit' || word === 'read' ? word : 'bash';
    return { tool, token: `${id}s${count}` };
  };
  return { id, rounds: rounds.map((words) => words.split(' ').map(step)) };
}
