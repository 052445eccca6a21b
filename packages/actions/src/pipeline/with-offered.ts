import type { OfferedTool } from '../client-tools/offered-tool.ts';
import type { PipelineParts } from './pipeline-parts.ts';

/** The same parts with one more tool: the engine's own tools take precedence. */
export function withOffered(parts: PipelineParts, { description, host }: OfferedTool): PipelineParts {
  const isOffered = (name: string): boolean =>
    name === description.name && parts.tools.get(name) === undefined;
  return {
    ...parts,
    tools: {
      get: (name) => (isOffered(name) ? description : parts.tools.get(name)),
      names: () => [...parts.tools.names(), description.name],
    },
    hostOf: (name) => (isOffered(name) ? host : parts.hostOf(name)),
  };
}
