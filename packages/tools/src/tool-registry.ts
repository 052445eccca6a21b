import { BulkheadError, type ToolDescription } from '@bulkhead/protocol';

export interface ToolGroup {
  readonly name: string;
  /** Its purpose, in a few words; the model chooses groups by it. */
  readonly summary: string;
}

export interface ToolGroupListing extends ToolGroup {
  /** Names of its tools, in order of registration. */
  readonly tools: readonly string[];
}

/** The tools an engine offers, by name and by group. All lists keep the order of registration. */
export interface ToolRegistry {
  get(name: string): ToolDescription | undefined;
  /** Tools of the named groups, in order of registration; unknown groups add nothing. */
  inGroups(names: readonly string[]): readonly ToolDescription[];
  groups(): readonly ToolGroupListing[];
  /** @throws BulkheadError `internal` if the name is taken, or the name or group is not legal */
  register(tool: ToolDescription): void;
}

/** Form of a function name that every provider accepts. */
const LEGAL_NAME = /^[a-z][a-z0-9_]{0,63}$/;

/**
 * @param tools registered together, in this order
 * @param groups summaries; a tool of a group without one creates a group whose summary is its name
 */
export function createToolRegistry(
  tools: readonly ToolDescription[],
  groups: readonly ToolGroup[] = [],
): ToolRegistry {
  const byName = new Map<string, ToolDescription>();
  const summaries = new Map(groups.map((group) => [group.name, group.summary]));
  const register = (tool: ToolDescription): void => {
    if (!LEGAL_NAME.test(tool.name)) throw refused(`${JSON.stringify(tool.name)} is no legal tool name`);
    if (!LEGAL_NAME.test(tool.group)) throw refused(`${JSON.stringify(tool.group)} is no legal group name`);
    if (byName.has(tool.name)) throw refused(`a tool named ${tool.name} is registered already`);
    byName.set(tool.name, tool);
  };
  for (const tool of tools) register(tool);
  return {
    get: (name) => byName.get(name),
    inGroups: (names) => [...byName.values()].filter((tool) => names.includes(tool.group)),
    groups: () => {
      const all = [...byName.values()];
      return [...new Set(all.map((tool) => tool.group))].map((name) => ({
        name,
        summary: summaries.get(name) ?? name,
        tools: all.filter((tool) => tool.group === name).map((tool) => tool.name),
      }));
    },
    register,
  };
}

function refused(message: string): BulkheadError {
  return new BulkheadError('internal', message);
}
