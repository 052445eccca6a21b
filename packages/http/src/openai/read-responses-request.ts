import { invalidRequest } from './api-error.ts';
import type { Asked } from './asked.ts';
import type { ConversationItem } from './conversation-item.ts';
import { Fields } from './field-reader.ts';
import { checkParameters, RESPONSES_PARAMETERS } from './parameters.ts';
import { readContent } from './read-content.ts';
import { readTools } from './read-tools.ts';

/** Reads a request of `/v1/responses`. @throws BulkheadError `usage` (400), naming the parameter */
export function readResponsesRequest(body: unknown): Asked {
  const fields = Fields.of(body);
  const ignored = checkParameters(fields, RESPONSES_PARAMETERS);
  const instructions = fields.text('instructions') ?? '';
  return {
    model: fields.requiredText('model'),
    items: [
      ...(instructions === '' ? [] : [{ kind: 'instructions', text: instructions } as const]),
      ...readInput(fields),
    ],
    tools: readTools(fields, false),
    oneCall: fields.flag('parallel_tool_calls') === false,
    stream: fields.flag('stream') ?? false,
    stop: [],
    user: fields.text('user'),
    previous: fields.text('previous_response_id'),
    store: fields.flag('store') ?? true,
    param: 'input',
    ignored,
  };
}

function readInput(fields: Fields): readonly ConversationItem[] {
  if (typeof fields.value('input') === 'string') {
    return [{ kind: 'user', text: fields.requiredText('input'), images: [] }];
  }
  return fields.requiredList('input').flatMap((each, index) => readItem(Fields.of(each, `input[${index}]`)));
}

function readItem(item: Fields): readonly ConversationItem[] {
  const type = item.text('type') ?? 'message';
  switch (type) {
    case 'message':
      return [readMessage(item)];
    case 'function_call': {
      const argumentsJson = item.text('arguments') ?? '';
      const call = { id: item.requiredText('call_id'), name: item.requiredText('name'), argumentsJson };
      return [{ kind: 'assistant', text: '', calls: [call] }];
    }
    case 'function_call_output':
      return [{ kind: 'result', id: item.requiredText('call_id'), text: readContent(item, 'output').text }];
    case 'reasoning':
      // Another model's reasoning: no model here can continue from it.
      return [];
    default:
      throw invalidRequest(
        `an item of type ${JSON.stringify(type.slice(0, 40))} can't be read here`,
        item.at('type'),
      );
  }
}

function readMessage(item: Fields): ConversationItem {
  const role = item.requiredText('role');
  const content = readContent(item, 'content');
  if (role === 'user') return { kind: 'user', ...content };
  if (role === 'assistant') return { kind: 'assistant', text: content.text, calls: [] };
  if (role === 'system' || role === 'developer') return { kind: 'instructions', text: content.text };
  throw invalidRequest(
    `a message of the role ${JSON.stringify(role.slice(0, 40))} can't be read here`,
    item.at('role'),
  );
}
