import { checkEffects } from './effect-checks.ts';
import { type EngineCore, openEngineCore } from './engine-core.ts';
import { EngineWatch } from './engine-watch.ts';
import { NO_FAULTS } from './fault-plan.ts';
import { checkAtRest, checkLeftBehind } from './final-checks.ts';
import { Life } from './life.ts';
import { People } from './people.ts';
import { writeScript } from './person-script.ts';
import { Surroundings } from './surroundings.ts';

/** After this many steps no more faults happen: the world must come to its end. */
const FAULTY_STEPS = 2_500;
/** A world with more steps does not come to rest. */
const MAX_STEPS = 20_000;
/** Virtual time after which an unsettled message counts as lost. */
const PATIENCE_MS = 3 * 3_600_000;
/** Virtual time to watch a world at rest: late events must not break it. */
const REST_MS = 20_000;
/** Virtual time from the stop request until the supervisor kills [P8]. */
const STOP_MS = 4_700;
/** Ten years, in milliseconds [FT83]. */
const TEN_YEARS = 315_576_000_000;

export interface SimulationResult {
  readonly seed: number;
  /** The violations; empty for a correct run. */
  readonly violations: readonly string[];
  /** Must be equal for two simulations of one seed. */
  readonly digest: string;
  readonly steps: number;
  readonly lives: number;
  readonly messages: number;
  readonly executions: number;
  /** File changes that a crash left open, and how many of them were resolved. */
  readonly filesLeftOpen: number;
  readonly filesFoundOut: number;
  readonly trace: readonly string[];
}

/** One world of one seed, from its first message until it is at rest: engines come and go in it. */
export async function simulate(seed: number, traceLines = 200): Promise<SimulationResult> {
  const simulation = new Simulation(seed);
  const onRejection = (error: unknown): void => simulation.rejected(error);
  process.on('unhandledRejection', onRejection);
  try {
    await simulation.run();
  } finally {
    process.off('unhandledRejection', onRejection);
  }
  return simulation.result(traceLines);
}

class Simulation {
  readonly #seed: number;
  readonly #world: Surroundings;
  readonly #people: People;
  #engine: EngineCore | undefined;
  #life: Life | undefined;
  #lives = 0;

  constructor(seed: number) {
    this.#seed = seed;
    this.#world = new Surroundings(seed);
    this.#people = new People(this.#world, () =>
      this.#life?.death === undefined ? this.#engine : undefined,
    );
  }

  async run(): Promise<void> {
    const { acts } = writeScript(this.#world.random);
    this.#boot();
    this.#people.start(acts);
    await this.#goOn(PATIENCE_MS, () => this.#atRest());
    this.#world.faults = NO_FAULTS;
    if (!this.#atRest()) this.#restless();
    await this.#goOn(REST_MS, () => false);
    checkAtRest(this.#world, this.#people.sent);
    checkEffects(this.#world);
    this.#life?.die('kill');
  }

  result(traceLines: number): SimulationResult {
    const { violations, trace, scheduler, ledger, audit } = this.#world;
    const recovered = audit.entries.filter(
      ({ step, action }) => step === 'RECOVERED' && audit.has('STARTED', action),
    );
    const files = recovered.filter(({ tool }) => tool === 'put' || tool === 'add');
    return {
      seed: this.#seed,
      violations: [...new Set(violations)],
      digest: trace.digest,
      steps: scheduler.steps,
      lives: this.#lives,
      messages: this.#people.sent.length,
      executions: ledger.executions.length,
      filesLeftOpen: files.length,
      filesFoundOut: files.filter(({ details }) => details['fate'] !== 'unknown').length,
      trace: trace.tail(traceLines),
    };
  }

  /** In a real engine no one would see this error, because its process would have ended. */
  rejected(error: unknown): void {
    if (this.#life?.death !== undefined) return;
    const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
    this.#world.violated(`nobody caught ${stack.split('\n').slice(0, 4).join(' ')}`);
  }

  async #goOn(ms: number, isOver: () => boolean): Promise<void> {
    const { time, scheduler } = this.#world;
    const until = time.monotonic() + ms;
    while (!isOver() && scheduler.steps < MAX_STEPS) {
      this.#disturb();
      if (!(await scheduler.step(until)) && !this.#buried) return;
    }
  }

  /** Deaths and jumps of the clock, between two steps. */
  #disturb(): void {
    const world = this.#world;
    if (world.scheduler.steps > FAULTY_STEPS) world.faults = NO_FAULTS;
    const { faults, random, time } = world;
    if (random.chance(faults.wallJumps)) time.jumpWall(Math.floor((random.next() * 2 - 1) * TEN_YEARS));
    const life = this.#life;
    if (life === undefined) return;
    if (life.death === undefined && faults.deaths > 0 && random.chance(faults.deathPerStep)) {
      world.kill(life, 'between two steps');
    }
    if (life.death === undefined && faults.stops > 0 && random.chance(faults.stopPerStep)) this.#stop(life);
    if (life.death !== undefined) this.#bury(life);
  }

  #stop(life: Life): void {
    if (life.isStopping) return;
    this.#world.stop(life);
    this.#engine?.stop().catch((error: unknown) => {
      if (life.death === undefined) this.#world.violated(`the engine could not stop: ${String(error)}`);
    });
    this.#world.scheduler.scope('supervisor').later(
      'has waited long enough',
      () => {
        if (life.death === undefined) this.#world.violated('an engine that was asked to stop goes on [P8]');
      },
      STOP_MS,
    );
  }

  get #buried(): boolean {
    return this.#life?.death !== undefined;
  }

  #bury(life: Life): void {
    const { disk, trackers, scheduler, random } = this.#world;
    if (life.death !== 'stop') this.#world.deaths += 1;
    if (life.death === 'power cut') {
      disk.cutPower();
      trackers.reread();
    }
    checkLeftBehind(this.#world);
    this.#life = undefined;
    this.#engine = undefined;
    scheduler.scope('supervisor').later('starts an engine', () => this.#boot(), random.between(10, 2_000));
  }

  #boot(): void {
    const { scheduler, disk, trackers } = this.#world;
    this.#lives += 1;
    const life = new Life(this.#lives, scheduler.scope(`engine ${this.#lives}`));
    this.#life = life;
    const watch = (sessionId: string): void => {
      const asked = this.#people.asked.bind(this.#people);
      new EngineWatch(this.#world, { sessionId, life, asked }).start(engine.log);
    };
    const engine = openEngineCore(this.#world, life, watch);
    this.#engine = engine;
    for (const { id } of trackers.all()) if (disk.store.getSession(id) !== undefined) watch(id);
    void engine.recover().catch((error: unknown) => {
      if (life.death !== undefined) return;
      this.#world.violated(`the engine could not recover: ${String(error)}`);
    });
  }

  #atRest(): boolean {
    if (!this.#people.done || this.#life?.death !== undefined || this.#engine === undefined) return false;
    return this.#world.trackers
      .all()
      .every(({ run, inputs }) => run === undefined && [...inputs.values()].every(({ outcome }) => outcome));
  }

  #restless(): void {
    const world = this.#world;
    const waiting = world.scheduler.waiting().slice(0, 5).join('; ') || 'nothing';
    world.violated(
      `the world does not come to rest after ${world.scheduler.steps} steps; it waits for ${waiting}`,
    );
  }
}
