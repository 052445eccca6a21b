import { create } from '@bufbuild/protobuf';
import { LOAD_TOOLS, type LoadedGroups, requestedGroups } from '@bulkhead/agent';
import { CLIENT_TOOLS_GROUP, type ToolDescription } from '@bulkhead/protocol';
import { type ToolGroup, ToolGroupSchema } from '@bulkhead/protocol/agent';
import { type Message, type ToolDefinition, ToolDefinitionSchema } from '@bulkhead/protocol/chat';
import { coreGroups, type ToolRegistry } from '@bulkhead/tools';
import { callsOf } from './message-view.ts';

/** Tool groups a session has from its start. */
export function initialGroupsOf(initial: 'core' | 'none'): readonly string[] {
  return initial === 'core' ? coreGroups.map(({ name }) => name) : [];
}

/** The definitions a session has loaded, in the order they came: only ever appended [C5]. */
export class LoadedTools {
  readonly #registry: ToolRegistry;
  readonly #loaded: ToolDescription[] = [];

  /** @param more tools of the program that started the run, which are in no registry */
  constructor(
    registry: ToolRegistry,
    initialGroups: readonly string[],
    more: Iterable<ToolDescription> = [],
  ) {
    this.#registry = registry;
    this.#add(initialGroups);
    this.#loaded.push(...more);
  }

  get definitions(): ToolDefinition[] {
    return this.#loaded.map(definitionOf);
  }

  /** Names of the tools whose calls may run side by side. */
  get sideBySide(): string[] {
    return this.definitions.filter(({ readOnly }) => readOnly).map(({ name }) => name);
  }

  /** Names a call may use now. */
  has(name: string): boolean {
    return this.#loaded.some((tool) => tool.name === name);
  }

  /** Loads groups; a second load of the same adds nothing. */
  load(groups: readonly string[]): LoadedGroups {
    const known = this.#registry.groups().map(({ name }) => name);
    return {
      tools: this.#add(groups).map(definitionOf),
      unknown: groups.filter((name) => !known.includes(name)),
      known,
    };
  }

  #add(groups: readonly string[]): ToolDescription[] {
    const fresh = this.#registry.inGroups(groups).filter((tool) => !this.has(tool.name));
    this.#loaded.push(...fresh);
    return fresh;
  }
}

/** The groups a conversation loaded with `load_tools`, in the order it did. */
export function groupsLoadedIn(history: readonly Message[]): string[] {
  return history.flatMap(({ role }) =>
    role.case === 'assistant'
      ? callsOf(role.value).flatMap((call) => (call.name === LOAD_TOOLS ? requestedGroups(call) : []))
      : [],
  );
}

/** All groups, as the model is offered them. */
export function groupList(registry: ToolRegistry): ToolGroup[] {
  return registry.groups().map(({ name, summary }) => create(ToolGroupSchema, { name, summary }));
}

function definitionOf(tool: ToolDescription): ToolDefinition {
  return create(ToolDefinitionSchema, {
    name: tool.name,
    description: tool.description,
    inputSchemaJson: JSON.stringify(tool.inputSchema),
    group: tool.group,
    // Nothing of this machine is changed by what a program does elsewhere: it is asked for all of a batch at once.
    readOnly: tool.readOnly || tool.group === CLIENT_TOOLS_GROUP,
  });
}
