import { AgentPool } from '@bulkhead/processes/pools/agent-pool';
import { SimulatedAgent } from '@bulkhead/processes/testing';
import { BulkheadError } from '@bulkhead/protocol';
import type { Life } from './life.ts';
import type { Surroundings } from './surroundings.ts';

/** The engine's own pool, with agents without processes. */
export function simulatedAgents(world: Surroundings, life: Life): AgentPool {
  const { random, scheduler, time: clock } = world;
  const mayDie = (): boolean => random.chance(world.faults.agentDies);
  let pids = 0;
  const pool = new AgentPool({
    clock,
    timers: life.scope,
    max: 4,
    idleMs: 300_000,
    spawn: async () => {
      await life.scope.wait('an agent starts');
      if (random.chance(world.faults.agentDies)) throw new BulkheadError('agent_failed', 'no agent started');
      pids += 1;
      return new SimulatedAgent(pids, scheduler.scope(`agent ${pids}`), life.scope, mayDie);
    },
  });
  life.onDeath(() => void pool.close());
  return pool;
}
