import { describeLoss } from '@bulkhead/log/agreement/loss';
import { AuditFold } from '@bulkhead/log/testing';
import type { ToolHostCall } from '@bulkhead/protocol';
import { Scheduler, SeededRandom, Trace, VirtualTime } from '@bulkhead/testkit/simulation';
import { EffectLedger } from './effect-ledger.ts';
import { type FaultPlan, planFaults } from './fault-plan.ts';
import type { Life } from './life.ts';
import { ModelAnswers } from './model-answers.ts';
import { SessionTrackers } from './session-trackers.ts';
import { SimulatedAudit } from './simulated-audit.ts';
import { type DiskAnswer, SimulatedDisk } from './simulated-disk.ts';
import { SimulatedFiles } from './simulated-files.ts';

/** Number of last trace lines to keep. */
const TRACE_LINES = 2_000;

/**
 * Everything that exists independently of an engine: time, disks, files, real effects, and the
 * seed.
 */
export class Surroundings {
  readonly random: SeededRandom;
  readonly time = new VirtualTime();
  readonly trace = new Trace(TRACE_LINES);
  readonly scheduler: Scheduler;
  readonly ledger = new EffectLedger();
  readonly files = new SimulatedFiles();
  readonly answers: ModelAnswers;
  readonly disk: SimulatedDisk;
  readonly audit: SimulatedAudit;
  readonly trackers: SessionTrackers;
  readonly violations: string[] = [];
  faults: FaultPlan;
  /**
   * True once the audit log has refused something: the engine then stops acting until it is
   * restarted.
   */
  auditBroke = false;
  lostPower = false;
  /** Engines that ended without a request. */
  deaths = 0;
  /** Sessions in which a person has cancelled something. */
  readonly cancelled = new Set<string>();
  /** Monotonic milliseconds of the disk's last refused write: on a full disk no run can end. */
  lastRefusal = Number.NEGATIVE_INFINITY;
  #refusals = 0;

  constructor(seed: number) {
    this.random = new SeededRandom(seed);
    this.scheduler = new Scheduler(this.random, this.time, this.trace);
    this.faults = planFaults(this.random);
    this.answers = new ModelAnswers(this.random);
    const report = (violation: string): void => this.violated(violation);
    this.disk = new SimulatedDisk({
      answer: (life) => this.#diskAnswer(life),
      dies: (life, where) => this.kill(life, where),
      written: (sessionId) => this.trackers.follow(sessionId),
    });
    this.trackers = new SessionTrackers({
      store: () => this.disk.store,
      time: this.time,
      trace: this.trace,
      report,
    });
    this.audit = new SimulatedAudit({
      fails: () => {
        const fails = this.random.chance(this.faults.auditFails);
        this.auditBroke ||= fails;
        return fails;
      },
      survives: () => this.random.chance(0.5),
    });
  }

  violated(what: string): void {
    this.trace.note(`VIOLATION ${what}`);
    this.violations.push(what);
  }

  /**
   * The intent is on disk, in the session's log and in the audit log, before an effect [T8, FG4].
   */
  checkAnnounced({ actionId, sessionId, tool }: ToolHostCall): void {
    const wrong = (what: string): void => this.violated(`${tool}, action ${actionId}, is executed: ${what}`);
    const action = this.trackers.of(sessionId).actions.get(actionId);
    if (action?.intent !== true) wrong('the log holds no intent [T8]');
    else if (tool !== 'look' && !this.disk.isSafe(sessionId, action.intentPos))
      wrong('a power cut would take its intent [FG4]');
    if (!this.audit.has('STARTED', actionId)) wrong('the audit log does not say that it is started');
  }

  /**
   * After any death, records named by the audit log are in the logs [S4, FG4]. A power cut removes
   * no synced record.
   */
  checkLogsAgree(): void {
    const fold = new AuditFold({
      standing: (id) => {
        if (this.disk.store.getSession(id) === undefined) return { state: 'absent' };
        return { state: 'there', lastPos: this.disk.store.lastPos(id) };
      },
      hasAcceptance: () => false,
      isOpen: () => false,
    });
    for (const entry of this.audit.entries) fold.read(entry);
    for (const [id, loss] of fold.losses) this.violated(`the logs do not agree: ${describeLoss(id, loss)}`);
    for (const action of fold.begun) this.violated(`the logs do not agree: action ${action} has no intent`);
  }

  /** Ends an engine in the way the seed chooses. */
  kill(life: Life, where: string): void {
    const kind = this.random.chance(this.faults.powerCut) ? 'power cut' : 'kill';
    this.faults = { ...this.faults, deaths: this.faults.deaths - 1 };
    this.trace.note(`DEATH of engine ${life.number} by ${kind}, ${where}`);
    this.lostPower ||= kind === 'power cut';
    life.die(kind);
  }

  /** Asks an engine to stop. */
  stop(life: Life): void {
    this.faults = { ...this.faults, stops: this.faults.stops - 1 };
    this.trace.note(`STOP of engine ${life.number}`);
    life.isStopping = true;
  }

  #diskAnswer(life: Life): DiskAnswer {
    if (life.diskIsBroken) return 'broken';
    const { deaths, deathPerAppend, diskRefuses, diskRefusals } = this.faults;
    if (deaths > 0 && this.random.chance(deathPerAppend)) {
      return this.random.pick(['dies before', 'dies after'] as const);
    }
    if (this.#refusals === 0 && this.random.chance(diskRefuses)) this.#refusals = diskRefusals;
    if (this.#refusals === 0) return 'written';
    this.#refusals -= 1;
    life.diskIsBroken = this.random.chance(this.faults.diskBreaks);
    this.lastRefusal = this.time.monotonic();
    this.trace.note(`the disk ${life.diskIsBroken ? 'breaks' : 'refuses a write'}`);
    return life.diskIsBroken ? 'broken' : 'refused';
  }
}
