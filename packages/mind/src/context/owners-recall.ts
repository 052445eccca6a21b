import type { ProgramSessions } from '@bulkhead/log/callers/caller-tables';
import type { MemoryService } from '../memory/memory-service.ts';
import type { MemoryRecall } from './recall.ts';

/**
 * The memory shown to turns of the owner's sessions, newest notes first; sessions of programs get
 * none.
 */
export function ownersRecall(
  service: Pick<MemoryService, 'recall'>,
  programs: ProgramSessions,
): MemoryRecall {
  return {
    recall: async (question) => {
      if (programs.isOfProgram(question.sessionId)) return { chunks: [], notes: [] };
      const recalled = await service.recall(question);
      return { ...recalled, notes: recalled.notes.toReversed() };
    },
  };
}
