import {
  type RecordedRequest,
  type ScriptedModelServer,
  type ScriptedReply,
  startScriptedModelServer,
} from '@bulkhead/testkit';
import { historyProblems, type SentMessage, sentMessages } from '../support/wire-history.ts';
import { callOf, isAgain, type Job, type Step } from './job.ts';

/** Models take their time: long enough that a message can come in between. */
const THINK_MS = 40;

/** How the model behaves beside its jobs. */
export interface Manners {
  /** It fails once, at the second round. */
  readonly flaky: boolean;
  /** Its second answer is cut, and it fails when it is asked to go on. */
  readonly cut: boolean;
  /** Makes a call again when its result says that the outcome is unknown. */
  readonly insists: boolean;
}

/**
 * A model that does the job of the last message that it receives. Its answers depend on the
 * conversation alone, so a request that is made again after a crash gets the same answer; only its
 * failures happen once.
 */
export class JobModel {
  readonly #jobs = new Map<string, Job>();
  readonly #manners = new Map<string, Manners>();
  readonly #failures = new Map<string, number>();
  /** Errors in the conversations that it received [L4]. */
  readonly problems: string[] = [];

  add(job: Job, manners: Manners): void {
    this.#jobs.set(job.id, job);
    this.#manners.set(job.id, manners);
  }

  serve(): Promise<ScriptedModelServer> {
    return startScriptedModelServer((request) => this.#answer(request));
  }

  #answer(request: RecordedRequest): ScriptedReply {
    const messages = sentMessages(request);
    this.problems.push(...historyProblems(messages));
    if (request.bodyText.includes('You name conversations')) return { text: 'a title', delayMs: 20 };
    const start = messages.findLastIndex(({ text }) => /^job \S+$/.test(text));
    const id = messages[start]?.text.slice('job '.length) ?? '';
    const job = this.#jobs.get(id);
    if (job === undefined) return { text: 'good', delayMs: 5 };
    return { ...this.#reply(job, messages.slice(start + 1)), delayMs: THINK_MS };
  }

  #reply(job: Job, since: readonly SentMessage[]): ScriptedReply {
    const manners = this.#manners.get(job.id);
    const doubted = doubtedCalls(since);
    if (manners?.insists === true && doubted.length > 0) {
      const steps = job.rounds.flat().filter(({ token }) => doubted.includes(token));
      if (steps.length > 0) return { toolCalls: steps.map((step) => callOf(step, true)) };
    }
    const done = since.filter(({ calls }) => calls.length > 0 && !calls.some(({ id }) => isAgain(id))).length;
    return this.#failure(job, done, manners) ?? answerOf(job.rounds[done]);
  }

  #failure({ id }: Job, done: number, manners: Manners | undefined): ScriptedReply | undefined {
    if (done !== 1 || manners === undefined) return undefined;
    const times = this.#failures.get(id) ?? 0;
    this.#failures.set(id, times + 1);
    const error = { error: { status: 500, message: 'the scripted model failed' } };
    if (manners.cut) return [{ text: 'I begin to', stopReason: 'length' }, error][times];
    return manners.flaky && times === 0 ? error : undefined;
  }
}

/**
 * Calls of the last round whose results say that the outcome is unknown, and that were not made
 * again yet.
 */
function doubtedCalls(since: readonly SentMessage[]): readonly string[] {
  const last = since.findLastIndex(({ calls }) => calls.length > 0);
  return since
    .slice(last + 1)
    .flatMap(({ results }) => results)
    .filter(({ id, text }) => !isAgain(id) && text.includes('not known whether'))
    .map(({ id }) => id);
}

function answerOf(steps: readonly Step[] | undefined): ScriptedReply {
  return steps === undefined
    ? { text: ['All ', 'done.'] }
    : { text: 'On it.', toolCalls: steps.map((step) => callOf(step)) };
}
