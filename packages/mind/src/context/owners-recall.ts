import type { ProgramSessions } from '@bulkhead/log/callers/caller-tables';
import type { MemoryDesk } from '../memory/memory-desk.ts';
import type { MemoryRecall } from './recall.ts';

/** What turns of the owner's sessions are shown of memory, the newest notes first; sessions of programs are shown none of it. */
export function ownersRecall(desk: Pick<MemoryDesk, 'recall'>, programs: ProgramSessions): MemoryRecall {
  return {
    recall: async (question) => {
      if (programs.isOfProgram(question.sessionId)) return { chunks: [], notes: [] };
      const recalled = await desk.recall(question);
      return { ...recalled, notes: recalled.notes.toReversed() };
    },
  };
}
