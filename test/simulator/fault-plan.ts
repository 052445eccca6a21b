import type { SeededRandom } from '@bulkhead/testkit/simulation';

/** Possible faults in one simulation. Probabilities are per occasion. */
export interface FaultPlan {
  /** Limit of engine deaths. */
  deaths: number;
  readonly deathPerStep: number;
  /** Limit of orderly stops. */
  stops: number;
  readonly stopPerStep: number;
  readonly deathPerAppend: number;
  readonly powerCut: number;
  readonly diskRefuses: number;
  /** Number of consecutive failed appends once the disk refuses. */
  readonly diskRefusals: number;
  /** Share of refusals that last until the engine is restarted. */
  readonly diskBreaks: number;
  readonly auditFails: number;
  readonly agentDies: number;
  readonly workerFails: number;
  readonly modelFails: number;
  readonly wallJumps: number;
}

/** Most seeds have few kinds of faults, so that each occurs alone and in combination. */
export function planFaults(random: SeededRandom): FaultPlan {
  const sometimes = (share: number, probability: number): number =>
    random.chance(share) ? probability * (0.3 + random.next()) : 0;
  const dies = random.chance(0.7);
  return {
    deaths: dies ? Number(random.weighted({ 1: 50, 2: 25, 3: 15, 4: 10 })) : 0,
    deathPerStep: random.pick([0.005, 0.02, 0.05]),
    stops: random.chance(0.4) ? random.pick([1, 2, 6]) : 0,
    stopPerStep: random.pick([0.01, 0.04]),
    deathPerAppend: random.pick([0, 0.02, 0.06]),
    powerCut: random.pick([0, 0.5, 1]),
    diskRefuses: sometimes(0.08, 0.02),
    diskRefusals: random.between(1, 6),
    diskBreaks: random.pick([0, 0.2]),
    auditFails: sometimes(0.05, 0.03),
    agentDies: sometimes(0.25, 0.02),
    workerFails: sometimes(0.3, 0.1),
    modelFails: random.pick([0, 0.15, 0.4]),
    wallJumps: sometimes(0.2, 0.02),
  };
}

/** The same without further faults: a world must come to rest in the end. */
export const NO_FAULTS: FaultPlan = {
  deaths: 0,
  deathPerStep: 0,
  stops: 0,
  stopPerStep: 0,
  deathPerAppend: 0,
  powerCut: 0,
  diskRefuses: 0,
  diskRefusals: 0,
  diskBreaks: 0,
  auditFails: 0,
  agentDies: 0,
  workerFails: 0,
  modelFails: 0,
  wallJumps: 0,
};
