import { describeClientTool } from '@bulkhead/actions/client-tools/describe-client-tool';
import type { AcceptedInput, ModelChoice } from '@bulkhead/log/session/accepted-input';
import { type RunView, runView } from '@bulkhead/log/session/run-view';
import { SessionState } from '@bulkhead/log/session/session-state';
import { LoadedTools } from '@bulkhead/log/session/tool-loading';
import { Suspension } from '@bulkhead/log/suspension/suspension';
import type { Told } from '@bulkhead/mind/context/mind';
import type { RunSkills } from '@bulkhead/mind/skills/run-skills';
import { BulkheadError, type ModelClient, type ToolDescription } from '@bulkhead/protocol';
import { closeOpen } from '../recovery/close-open.ts';
import { type InterruptedRun, interruptedRun } from '../recovery/interrupted-run.ts';
import { AgentRun, type ResumedRun } from '../run/agent-run.ts';
import { givenUp, type RunConclusion } from '../run/end-of-run.ts';
import { RunJournal } from '../run/run-journal.ts';
import { noProgress, type RunProgress } from '../run/run-progress.ts';
import type { RunSetting } from '../run/run-setting.ts';
import type { SessionServices } from './session-services.ts';
import type { WaitingMessages } from './waiting-messages.ts';

/** A model that takes longer than this leaves time to start a worker; one that doesn't may not need it. */
const PREWARM_AFTER_MS = 100;

/** How often a run is taken up again after its engine died: it may be why. Orderly stops do not count. */
const MAX_RESUMES = 3;

/** An actor's facts about its session. */
export interface SessionPlace {
  readonly id: string;
  readonly workingFolder: string;
  readonly offTheRecord: boolean;
}

/** An actor's memory of its session from one turn to the next. */
export interface SessionMemory {
  readonly waiting: WaitingMessages;
  /** Fingerprints of actions whose outcome is unknown. */
  readonly doubtful: Set<string>;
}

/** Where the records of a message lie that was begun before. */
interface BegunBefore {
  readonly pos: number;
  /** True if its engine still lives and only stood still: that does not count against the run. */
  readonly stoodStill: boolean;
}

/** One turn of a session: from the accepted message, or from where a crash left it, to its `settled` [T5]. */
export class SessionTurn {
  readonly #services: SessionServices;
  readonly #place: SessionPlace;
  readonly #inputs: readonly AcceptedInput[];
  readonly #input: AcceptedInput;
  readonly #waiting: WaitingMessages;
  readonly #doubtful: Set<string>;
  /** Where the records of the message begin, for one that was begun by an earlier engine. */
  readonly #since: BegunBefore | undefined;
  readonly #controller = new AbortController();
  readonly #stopping = new AbortController();
  #isSuspended = false;
  #isCancelled = false;
  #journal: RunJournal | undefined;

  /** @param inputs the message, then those that share its run */
  constructor(
    services: SessionServices,
    place: SessionPlace,
    inputs: readonly AcceptedInput[],
    memory: SessionMemory,
    since?: BegunBefore,
  ) {
    const [input] = inputs;
    if (input === undefined) throw new BulkheadError('internal', 'a turn needs a message');
    this.#services = services;
    this.#place = place;
    this.#inputs = inputs;
    this.#input = input;
    this.#waiting = memory.waiting;
    this.#doubtful = memory.doubtful;
    this.#since = since;
  }

  get message(): Pick<AcceptedInput, 'messageId' | 'origin'> {
    return this.#input;
  }

  get modelChoice(): ModelChoice {
    const { model, baseUrl } = this.#input.options;
    return { model, baseUrl };
  }

  /** A person has ended it. */
  get cancelled(): boolean {
    return this.#isCancelled;
  }

  /** Ends the run; the second time and later, nothing. Never throws. */
  cancel(): void {
    if (this.cancelled) return;
    this.#isCancelled = true;
    try {
      this.#journal?.cancelling();
    } catch {
      // An unwritable log will stop the run anyway; the actor remembers the cancellation.
    }
    this.#controller.abort();
  }

  /** Lets what is under way end, and begins nothing more: the rest is for the next engine. */
  stop(): void {
    if (!this.cancelled) this.#stopping.abort(new Suspension());
  }

  /**
   * Leaves the run as it stands, for the next engine: what is under way ends without an outcome [P8, T8]. Never throws. One that a
   * person has cancelled comes to its end.
   */
  suspend(): void {
    if (this.#controller.signal.aborted) return;
    this.#recordSuspension(); // Known even if what is under way takes longer than the supervisor waits.
    this.#controller.abort(new Suspension());
  }

  /**
   * Exactly one `settled` for the message, or none if the engine stops first.
   * @throws BulkheadError `store_failed` or `store_corrupt` if the log fails: then it is settled later
   */
  async run(): Promise<'settled' | 'suspended'> {
    try {
      const open = this.#since === undefined ? undefined : this.#openRun(this.#since.pos);
      if (open === undefined) await this.#start();
      else await this.#resume(open);
      return 'settled';
    } catch (error) {
      if (!(error instanceof Suspension)) throw error;
      this.#recordSuspension();
      return 'suspended';
    }
  }

  #recordSuspension(): void {
    if (this.#isSuspended) return;
    this.#isSuspended = true;
    try {
      this.#journal?.suspend();
    } catch {
      // A log that can't be written: the next engine takes the stop for a death, which loses nothing.
    }
  }

  async #start(): Promise<void> {
    const { log, ids } = this.#services.context;
    const leaf = log.store.getSession(this.#place.id)?.leaf ?? null;
    const state = new SessionState(log.lastState(this.#place.id));
    const journal = this.#open(ids(), noProgress(leaf), state);
    journal.begin(this.#inputs, this.#waiting.news());
    const conclusion = await this.#converse(journal, leaf);
    journal.finish(conclusion);
  }

  async #resume(open: InterruptedRun): Promise<void> {
    const { id: sessionId, workingFolder } = this.#place;
    const journal = this.#open(open.runId, open.progress, new SessionState(open.state));
    const end = this.#endOf(open);
    const deaths = open.resumes + (end === 'death' ? 1 : 0);
    this.#isCancelled ||= open.cancelled || deaths > MAX_RESUMES;
    if (this.#isCancelled) this.#controller.abort();
    journal.resume(end);
    const place = { sessionId, workingFolder };
    await closeOpen(open, this.#input.messageId, journal, place, this.#services, this.#doubtful);
    const { round, calling, actions } = open;
    const resumed: ResumedRun = { round, calling, refused: actions.refused };
    const conclusion = await this.#converse(journal, open.progress.parent, resumed);
    if (deaths <= MAX_RESUMES) return journal.finish(conclusion);
    journal.rewind();
    journal.finish(givenUp(deaths));
  }

  #endOf({ suspended }: InterruptedRun): 'death' | 'stop' | 'standstill' {
    if (this.#since?.stoodStill === true) return 'standstill';
    return suspended ? 'stop' : 'death';
  }

  #openRun(since: number): InterruptedRun | undefined {
    const records = this.#services.context.log.store.records(this.#place.id, { pos: since });
    return interruptedRun(records, this.#input.messageId);
  }

  #open(runId: string, progress: RunProgress, state: SessionState): RunJournal {
    const { log, clock } = this.#services.context;
    const { boxes } = this.#services.settings;
    const { id: sessionId, offTheRecord } = this.#place;
    this.#journal = new RunJournal({
      log,
      clock,
      sessionId,
      runId,
      messageId: this.#input.messageId,
      state,
      progress,
      offTheRecord,
      boxes,
    });
    return this.#journal;
  }

  async #converse(journal: RunJournal, leaf: string | null, resumed?: ResumedRun): Promise<RunConclusion> {
    const [told, skills] = await Promise.all([this.#told(), this.#skills(journal.runId)]);
    const setting = this.#setting(journal, leaf, told, skills);
    if (setting instanceof BulkheadError) {
      return { outcome: 'failed', answer: '', thoughts: [], error: setting };
    }
    const { timers } = this.#services.context;
    const { id, workingFolder } = this.#place;
    using _timer = timers.after(PREWARM_AFTER_MS, () => this.#services.processes.prewarm(id, workingFolder));
    return await new AgentRun(this.#services, setting, journal, resumed).execute(this.#controller.signal);
  }

  #told(): Promise<Told> {
    const { id, workingFolder, offTheRecord } = this.#place;
    const message = this.#inputs.map(({ content }) => content).join('\n');
    const { origin, options } = this.#input;
    const { shownIn } = options;
    return this.#services.mind.tell({ sessionId: id, workingFolder, offTheRecord, message, shownIn, origin });
  }

  /** A home whose skills can't be looked at has none; the run goes on. */
  async #skills(runId: string): Promise<RunSkills | undefined> {
    const { id, workingFolder } = this.#place;
    return await this.#services.mind.skills?.forRun(id, runId, workingFolder);
  }

  #setting(
    journal: RunJournal,
    leaf: string | null,
    told: Told,
    skills: RunSkills | undefined,
  ): RunSetting | BulkheadError {
    const { models } = this.#services;
    const { limits, queues } = this.#services.settings;
    const { id, workingFolder, offTheRecord } = this.#place;
    const { options } = this.#input;
    try {
      const model = models.client(options);
      const view = this.#view(leaf, model, journal.runId);
      const clientTools = this.#clientTools();
      return {
        sessionId: id,
        runId: journal.runId,
        workingFolder,
        input: this.#input,
        offTheRecord,
        history: view.history,
        view,
        model,
        fallbacks: models.fallbacks(options),
        renewModel: (refused) => {
          if (!models.refresh(refused)) return undefined;
          const renewed = [models.client(options), ...models.fallbacks(options)];
          return renewed.find(({ name }) => name === refused.name);
        },
        stopping: this.#stopping.signal,
        loaded: this.#loadedAfter(view, clientTools.values()),
        clientTools,
        // A limit that was lowered since ends a run at once, but with an answer.
        maxRounds: Math.max(options.maxRounds || limits.maxRounds, journal.answers),
        outputLimit: (client) => models.outputLimit(client) ?? limits.maxOutputTokens,
        turn: told.turn,
        prompt: { ...told.prompt, skills: skills?.facts.skills, knowledge: skills?.facts.knowledge },
        skills,
        doubtful: this.#doubtful,
        takeSteers: () => {
          const inputs = this.#waiting.takeSteers(this.#input, queues.steer);
          return { inputs, news: inputs.length === 0 ? [] : this.#waiting.news() };
        },
      };
    } catch (error) {
      const known = BulkheadError.from(error);
      if (known.code === 'store_failed' || known.code === 'store_corrupt') throw known;
      return known;
    }
  }

  /** As much of the conversation as compaction can make fit, by a high estimate. */
  #view(leaf: string | null, { contextWindow }: ModelClient, runId: string): RunView {
    const { log } = this.#services.context;
    return runView(log.store.recentBranch(this.#place.id, leaf, contextWindow * 8).entries, runId);
  }

  /** Loaded groups last as long as the session, also over a restart: the history tells which they were [L3]. */
  #loadedAfter({ groups }: RunView, more: Iterable<ToolDescription>): LoadedTools {
    const { tools } = this.#services.actions;
    const { initialGroups } = this.#services.settings;
    return new LoadedTools(tools, [...initialGroups, ...groups], more);
  }

  #clientTools(): ReadonlyMap<string, ToolDescription> {
    const described = (this.#input.options.clientTools ?? []).map(describeClientTool);
    return new Map(described.map((tool) => [tool.name, tool]));
  }
}
