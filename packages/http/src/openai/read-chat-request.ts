import { invalidRequest } from './api-error.ts';
import type { Asked } from './asked.ts';
import type { ConversationItem, ToldCall } from './conversation-item.ts';
import { Fields } from './field-reader.ts';
import { CHAT_PARAMETERS, checkParameters } from './parameters.ts';
import { readContent } from './read-content.ts';
import { readTools } from './read-tools.ts';

const MAX_STOPS = 4;
const MAX_STOP_LENGTH = 1_000;

/** A request of `/v1/chat/completions`. */
export interface ChatAsked extends Asked {
  /** Whether a stream ends with a chunk that reports the usage. */
  readonly includeUsage: boolean;
}

/** @throws BulkheadError `usage` (400), naming the parameter */
export function readChatRequest(body: unknown): ChatAsked {
  const fields = Fields.of(body);
  const ignored = checkParameters(fields, CHAT_PARAMETERS);
  return {
    model: fields.requiredText('model'),
    items: fields
      .requiredList('messages')
      .map((each, index) => readMessage(Fields.of(each, `messages[${index}]`))),
    tools: readTools(fields, true),
    oneCall: fields.flag('parallel_tool_calls') === false,
    stream: fields.flag('stream') ?? false,
    stop: readStop(fields),
    includeUsage: fields.object('stream_options')?.flag('include_usage') ?? false,
    user: fields.text('user'),
    previous: undefined,
    store: false,
    param: 'messages',
    ignored,
  };
}

/** As the API defines it: a text, or up to four. Empty ones request nothing. */
function readStop(fields: Fields): readonly string[] {
  const value = fields.value('stop');
  const list: readonly unknown[] = Array.isArray(value) ? value : value === undefined ? [] : [value];
  const texts = list.filter((one) => typeof one === 'string');
  const isRead = texts.length === list.length && list.length <= MAX_STOPS;
  if (!isRead || texts.some((one) => one.length > MAX_STOP_LENGTH))
    throw fields.wrong(
      'stop',
      `a text or up to ${MAX_STOPS} texts, each of at most ${MAX_STOP_LENGTH} characters`,
    );
  return texts.filter((one) => one !== '');
}

function readMessage(message: Fields): ConversationItem {
  const role = message.requiredText('role');
  switch (role) {
    case 'system':
    case 'developer':
      return { kind: 'instructions', text: readContent(message, 'content').text };
    case 'user':
      return { kind: 'user', ...readContent(message, 'content') };
    case 'assistant':
      return { kind: 'assistant', text: readContent(message, 'content').text, calls: readCalls(message) };
    case 'tool':
      return {
        kind: 'result',
        id: message.requiredText('tool_call_id'),
        text: readContent(message, 'content').text,
      };
    default:
      throw invalidRequest(
        `a message of the role ${JSON.stringify(role.slice(0, 40))} can't be read here`,
        message.at('role'),
      );
  }
}

function readCalls(message: Fields): readonly ToldCall[] {
  return (message.list('tool_calls') ?? []).map((each, index) => {
    const call = Fields.of(each, `${message.at('tool_calls')}[${index}]`);
    const details = call.object('function');
    if (details === undefined) throw call.wrong('function', 'an object');
    return {
      id: call.requiredText('id'),
      name: details.requiredText('name'),
      argumentsJson: details.text('arguments') ?? '',
    };
  });
}
