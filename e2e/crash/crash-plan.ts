import { FAULT_POINTS, type FaultPoint } from '@bulkhead/protocol';
import { SeededRandom } from '@bulkhead/testkit/simulation';

/** Whose death a round is about. `box` is what runs a command. */
export type Victim = 'engine' | 'agent' | 'worker' | 'supervisor' | 'box';

/** One fault: its kind, its victim and its moment. */
export type Strike =
  /** The engine itself dies, or its disk fails, at a point. */
  | {
      readonly kind: 'point';
      readonly point: FaultPoint;
      readonly action: 'kill' | 'eio';
      readonly hit: number;
    }
  /** The engine stands still at a point while somebody else is killed. */
  | { readonly kind: 'held'; readonly point: FaultPoint; readonly hit: number; readonly victim: Victim }
  /** Somebody is killed, whatever goes on. */
  | { readonly kind: 'moment'; readonly afterMs: number; readonly victim: Victim };

/** The work that goes on during the fault. */
export type Story =
  | 'plain'
  /** Messages that join the run. */
  | 'steer'
  /** Messages that wait for its end. */
  | 'queue'
  /** A message that ends the run before it. */
  | 'interrupt'
  /** The model fails once. */
  | 'flaky'
  /** The model's answer is cut, then it fails. */
  | 'cut'
  | 'cancel'
  /** A person is asked. */
  | 'ask'
  /** Three short exchanges, after which the session gets its title. */
  | 'talk'
  /** Long messages, then a person has the conversation made shorter, then another message. */
  | 'long'
  /** The engine is asked to stop, or to restart, in the middle. */
  | 'stop';

/** One round of the campaign: decided by its seed alone. */
export interface CrashPlan {
  readonly story: Story;
  readonly strikes: readonly Strike[];
  readonly random: SeededRandom;
  /** How many rounds the first message takes; without it, two to four. */
  readonly rounds?: number;
  /** The one tool that the model calls; without it, all. */
  readonly tool?: 'write' | 'edit' | 'bash';
}

const STORIES: Readonly<Record<string, Story>> = {
  'model.failed': 'flaky',
  'retry.waiting': 'flaky',
  'run.rewound': 'cut',
  'steer.before_merge': 'steer',
  'steer.merged': 'steer',
  'cancel.requested': 'cancel',
  'approval.asked': 'ask',
  'approval.decided': 'ask',
  'compaction.begun': 'long',
  'compaction.answered': 'long',
  'compaction.recorded': 'long',
  'title.before': 'talk',
  'title.after': 'talk',
  'shutdown.begun': 'stop',
  'shutdown.drained': 'stop',
};

/** Points that are passed often: at which hit is left to chance. */
const MANY: Readonly<Record<string, number>> = {
  scratch: 2,
  command: 2,
  settle: 2,
  store: 30,
  audit: 8,
  intent: 4,
  effect: 4,
  outcome: 4,
  model: 4,
};

/** Places where a disk failure is reported. */
const DISK: readonly FaultPoint[] = ['store.before_commit', 'audit.before_write', 'audit.before_flush'];

/** Each point in turn; those between an intent and its outcome more often, for there is the doubt. */
const POINTS: readonly FaultPoint[] = [
  ...FAULT_POINTS,
  ...([
    'intent.after',
    'effect.begun',
    'effect.done',
    'outcome.before',
    'effect.done',
    'intent.after',
    'command.ended',
    'settle.decided',
    'settle.answered',
  ] as const),
];

const RECOVERY = FAULT_POINTS.filter((point) => point.startsWith('recovery.'));

/** Where a first death leaves something for recovery to do. */
const OPEN: readonly FaultPoint[] = [
  'intent.after',
  'effect.begun',
  'effect.done',
  'outcome.before',
  'model.recorded',
];

/** Points that everyone else can be killed at. */
const HELD: readonly FaultPoint[] = [
  'run.started',
  'model.begun',
  'model.answered',
  'model.recorded',
  'intent.after',
  'effect.begun',
  'effect.done',
  'outcome.after',
  'round.ended',
];

/** Points at which there is a box, or is about to be one. */
const BOX_HELD = ['effect.begun', 'command.ended', 'settle.decided'] as const;

/**
 * @param round from 0; rounds go through all points in turn, and leave the rest to chance
 * @param seed of the campaign
 */
export function crashPlan(seed: number, round: number): CrashPlan {
  const random = new SeededRandom(seed * 1_000_003 + round);
  const kind = random.weighted({ point: 60, held: 14, moment: 22, eio: 4 });
  if (kind === 'eio') return { story: 'plain', strikes: [atPoint(random.pick(DISK), 'eio', random)], random };
  if (kind === 'moment') return { story: anyStory(random), strikes: [atMoment(random)], random };
  if (kind === 'held') {
    const victim = random.pick(['agent', 'worker', 'supervisor', 'box'] as const);
    const point = victim === 'box' ? random.pick(BOX_HELD) : random.pick(HELD);
    return { story: 'plain', strikes: [{ kind, point, hit: random.between(1, 3), victim }], random };
  }
  const point = POINTS[round % POINTS.length] ?? 'intent.after';
  const story = STORIES[point] ?? anyStory(random);
  const strike = atPoint(point, 'kill', random);
  if (!RECOVERY.includes(point)) return { story, strikes: [strike, ...sometimesAgain(random)], random };
  return { story, strikes: [atPoint(random.pick(OPEN), 'kill', random), { ...strike, hit: 1 }], random };
}

function atPoint(point: FaultPoint, action: 'kill' | 'eio', random: SeededRandom) {
  const most = MANY[point.split('.')[0] ?? ''] ?? 1;
  return { kind: 'point', point, action, hit: random.between(1, most) } as const;
}

function atMoment(random: SeededRandom): Strike {
  const victim = random.weighted({ engine: 10, agent: 4, worker: 4, supervisor: 3, box: 3 });
  return { kind: 'moment', afterMs: random.below(1_200), victim };
}

/** A crash in the recovery from a crash. */
function sometimesAgain(random: SeededRandom): readonly Strike[] {
  if (!random.chance(0.15)) return [];
  return [{ kind: 'point', point: random.pick(RECOVERY), action: 'kill', hit: 1 }];
}

function anyStory(random: SeededRandom): Story {
  return random.weighted({ plain: 8, steer: 3, queue: 3, interrupt: 2, flaky: 2, cut: 1, cancel: 1 });
}
