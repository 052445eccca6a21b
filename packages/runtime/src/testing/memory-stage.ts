import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { SnapshotStage } from '@bulkhead/actions/pipeline/stages';
import { noSnapshots } from '@bulkhead/actions/testing';
import type { Reply } from '@bulkhead/home/testing';
import { type Memory, openMemory } from '@bulkhead/mind/memory/open-memory';
import { createPlainIndex } from '@bulkhead/mind/testing';
import { FolderQueue } from '@bulkhead/processes/transactions/folder-queue';
import type { SessionStore } from '@bulkhead/sessions';
import { flowStage } from './flow-stage.ts';

/** A model's first request: the tools of memory are loaded on demand. */
export const LOAD_MEMORY: Reply = { calls: [['load_tools', { groups: ['memory', 'web'] }]] };

/** One life of an engine with flow and memory over what lies in `root`, which outlives it. */
export function memoryStage(
  root: string,
  {
    store,
    replies,
    sessions = true,
    snapshots = noSnapshots,
  }: {
    readonly store: SessionStore;
    readonly replies: readonly Reply[];
    readonly sessions?: boolean;
    readonly snapshots?: SnapshotStage;
  },
) {
  mkdirSync(join(root, 'state'), { recursive: true });
  const warnings: string[] = [];
  const profile = join(root, 'profiles/default');
  const queue = new FolderQueue();
  let memory: Memory | undefined;
  const stage = flowStage(join(root, 'state/flow.db'), {
    store,
    replies,
    hosts: ({ context, labels, tables }) => {
      memory = openMemory(context, {
        places: {
          name: 'default',
          profile,
          index: join(root, 'state/memory-index.db'),
        },
        settings: { enabled: true, byMeaning: false, sessions },
        actions: { snapshots, labels, queue },
        tables,
        programs: { isOfProgram: () => false },
        openIndex: async () => createPlainIndex(),
        warn: (problem) => warnings.push(problem),
      });
      return { memory: memory.host };
    },
  });
  if (memory === undefined) throw new Error('the stage has no memory');
  return { ...stage, memory, queue, profile, warnings };
}
