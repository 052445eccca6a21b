import type { Config } from '@bulkhead/home/config/config-schema';
import { AGENT_BOX_LIMITS, type NodeLimits, WORKER_BOX_LIMITS } from '@bulkhead/sandbox';

const MIB = 1024 ** 2;

/** Limits for boxed processes. */
export interface BoxLimits {
  readonly agent: NodeLimits;
  readonly worker: NodeLimits;
}

export function boxLimits({ agents, tools }: Pick<Config, 'agents' | 'tools'>): BoxLimits {
  return {
    agent: { ...AGENT_BOX_LIMITS, maxDataBytes: agents.memoryMiB * MIB },
    worker: { ...WORKER_BOX_LIMITS, maxDataBytes: tools.memoryMiB * MIB },
  };
}
