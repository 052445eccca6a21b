import {
  loadToolsDefinition,
  modelView,
  promptFacts,
  ResultMarks,
  restoredSkills,
  skillTools,
  systemSections,
  turnSections,
} from '@bulkhead/agent';
import { callsOf, textOf, thinkingOf } from '@bulkhead/log/session/message-view';
import type { SkillText, ToolGroup } from '@bulkhead/protocol/agent';
import type { Message, ToolDefinition } from '@bulkhead/protocol/chat';
import type { Told } from './mind.ts';

/** A piece of a model request. */
export interface RequestSection {
  readonly part: 'system' | 'tools' | 'history' | 'turn';
  readonly name: string;
  readonly text: string;
}

/**
 * A model request by section, in its order: rendered by the very functions an agent uses.
 *
 * @param request.tools all that are loaded
 * @param request.history as the next run is given it
 * @param request.skills that were loaded and stand in it no more
 * @param request.contextWindow tokens
 */
export function requestSections(
  { prompt, turn }: Told,
  request: {
    readonly groups: readonly ToolGroup[];
    readonly tools: readonly ToolDefinition[];
    readonly history: readonly Message[];
    readonly skills: readonly SkillText[];
    readonly contextWindow: number;
  },
): readonly RequestSection[] {
  const restored = restoredSkills(request.skills);
  const shown = modelView([...restored, ...request.history], undefined, request.contextWindow);
  const system = systemSections(promptFacts(prompt, request.groups));
  return [
    ...toolSections([
      loadToolsDefinition(request.groups),
      ...skillTools(prompt, request.skills),
      ...request.tools,
    ]),
    ...system.map((section) => ({ part: 'system' as const, ...section })),
    ...restored.map((message) => ({
      part: 'history' as const,
      name: 'skills loaded before',
      text: textOf(message),
    })),
    ...historySections(new ResultMarks().view(shown.slice(restored.length))),
    ...turnSections(turn).map((section) => ({ part: 'turn' as const, ...section })),
  ];
}

function toolSections(tools: readonly ToolDefinition[]): RequestSection[] {
  const byGroup = Map.groupBy(tools, ({ group }) => group);
  return [...byGroup].map(([name, definitions]) => ({
    part: 'tools',
    name,
    text: definitions.map(definitionText).join('\n'),
  }));
}

/** As providers are sent it, but for their own words around it. */
function definitionText({ name, description, inputSchemaJson }: ToolDefinition): string {
  return `{"name":${JSON.stringify(name)},"description":${JSON.stringify(description)},"input_schema":${inputSchemaJson}}`;
}

function historySections(messages: readonly Message[]): RequestSection[] {
  const texts: Readonly<Record<string, string[]>> = {
    'messages of the person': [],
    answers: [],
    thinking: [],
    calls: [],
    'results of tools': [],
  };
  for (const message of messages) {
    const { role } = message;
    if (role.case === 'user') texts['messages of the person']?.push(textOf(message));
    if (role.case === 'tool') texts['results of tools']?.push(textOf(message));
    if (role.case !== 'assistant') continue;
    texts['answers']?.push(textOf(message));
    texts['thinking']?.push(thinkingOf(message));
    texts['calls']?.push(...callsOf(role.value).map(({ name, argumentsJson }) => `${name}${argumentsJson}`));
  }
  return Object.entries(texts)
    .map(([name, pieces]) => ({ part: 'history' as const, name, text: pieces.filter(Boolean).join('\n') }))
    .filter(({ text }) => text !== '');
}
