import { create } from '@bufbuild/protobuf';
import { PromptContextSchema, TurnContextSchema } from '@bulkhead/protocol/agent';
import type { Mind } from '../context/mind.ts';

/** Tells where the agent is, and no more. */
export function plainMind(platform: string): Mind {
  return {
    tell: async ({ sessionId, workingFolder, offTheRecord }) => {
      const place = { agentName: 'Bulkhead', workingFolder, sessionId, platform, offTheRecord };
      return { prompt: create(PromptContextSchema, place), turn: create(TurnContextSchema) };
    },
  };
}
