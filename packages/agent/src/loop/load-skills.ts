import { create } from '@bufbuild/protobuf';
import type { PromptContext, SkillText } from '@bulkhead/protocol/agent';
import {
  type AssistantMessage,
  type Message,
  type ToolCall,
  type ToolDefinition,
  ToolDefinitionSchema,
  type ToolMessage,
  ToolMessageSchema,
} from '@bulkhead/protocol/chat';
import { parseObject, textList } from './json-object.ts';
import { skillText } from './skill-text.ts';

/** Name of the meta-tool that loads the text of skills [L3]. */
export const LOAD_SKILLS = 'load_skills';

const INPUT_SCHEMA = JSON.stringify({
  type: 'object',
  properties: { names: { type: 'array', items: { type: 'string' } } },
  required: ['names'],
});

/** The result of a call of `load_skills`. */
export interface LoadedSkills {
  readonly found: readonly SkillText[];
  readonly unknown: readonly string[];
  readonly known: readonly string[];
}

/** The definition of `load_skills`, the second of every request with loadable skills. */
export function loadSkillsDefinition(): ToolDefinition {
  return create(ToolDefinitionSchema, {
    name: LOAD_SKILLS,
    description: 'Load skills or knowledge by name.',
    inputSchemaJson: INPUT_SCHEMA,
    group: 'meta',
    readOnly: true,
  });
}

/** Its definition, if there are skills to load: no model is offered a useless tool. */
export function skillTools(
  context: Pick<PromptContext, 'skills' | 'knowledge'>,
  skills: readonly SkillText[],
): ToolDefinition[] {
  const { always = [], listed = [] } = context.knowledge ?? {};
  const known = (context.skills?.lines.length ?? 0) + always.length + listed.length + skills.length;
  return known === 0 ? [] : [loadSkillsDefinition()];
}

/**
 * The names a call of `load_skills` asks for.
 *
 * @returns an empty list if the arguments are not `{"names": [name, ...]}` with at least one name
 */
export function requestedSkills(call: ToolCall): string[] {
  return textList(parseObject(call.argumentsJson)?.['names']);
}

/**
 * The result of a call of `load_skills`.
 *
 * @param delivery the texts found for `requestedSkills(call)`
 */
export function loadSkillsResult(call: ToolCall, delivery: LoadedSkills): ToolMessage {
  const known = delivery.known.length === 0 ? 'none' : delivery.known.join(', ');
  const isMalformed = requestedSkills(call).length === 0;
  const texts = delivery.found.map(skillText);
  if (isMalformed) texts.push(`load_skills takes {"names": ["name", ...]}. Known: ${known}.`);
  if (delivery.unknown.length > 0) texts.push(`Unknown: ${delivery.unknown.join(', ')}. Known: ${known}.`);
  return create(ToolMessageSchema, {
    callId: call.callId,
    name: LOAD_SKILLS,
    text: texts.join('\n\n'),
    isError: isMalformed || delivery.unknown.length > 0,
    ownWords: true,
  });
}

/** The names that results in `messages` still show the text of. */
export function skillsIn(messages: readonly Message[]): ReadonlySet<string> {
  const asked = new Map<string, readonly string[]>();
  const shown = new Set<string>();
  for (const { role } of messages) {
    if (role.case === 'assistant') {
      for (const call of skillCalls(role.value)) asked.set(call.callId, requestedSkills(call));
    } else if (role.case === 'tool' && role.value.ownWords && role.value.name === LOAD_SKILLS) {
      // A provider may reuse an id: each result belongs to the call before it.
      for (const name of asked.get(role.value.callId) ?? []) shown.add(name);
    }
  }
  return shown;
}

function skillCalls({ parts }: AssistantMessage): ToolCall[] {
  return parts.flatMap(({ part }) =>
    part.case === 'toolCall' && part.value.name === LOAD_SKILLS ? [part.value] : [],
  );
}
