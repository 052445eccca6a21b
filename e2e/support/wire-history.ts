import type { RecordedRequest } from '@bulkhead/testkit';

/** One message as a provider was sent it, whatever the wire format. */
export interface SentMessage {
  readonly role: string;
  /** All of its text, thinking and arguments left out. */
  readonly text: string;
  readonly thinking: readonly { readonly text: string; readonly signature: string }[];
  readonly calls: readonly { readonly id: string; readonly name: string }[];
  readonly results: readonly { readonly id: string; readonly text: string }[];
}

type Fields = Readonly<Record<string, unknown>>;

/** The conversation of a request: without system message and turn part, results without the marks around them. */
export function sentMessages({ body }: RecordedRequest): readonly SentMessage[] {
  return withoutTurnPart(list(fields(body)['messages']).map(fields))
    .filter((message) => message['role'] !== 'system')
    .map(sentMessage);
}

/** The turn part stands at the end: as a message, or as a block of the last one. */
function withoutTurnPart(messages: readonly Fields[]): readonly Fields[] {
  const last = messages.at(-1);
  const blocks = typeof last?.['content'] === 'string' ? [last['content']] : list(last?.['content']);
  const tail = blocks.at(-1);
  if (!/^(Now: |# Your Memory\n)/.test(text(typeof tail === 'string' ? tail : fields(tail)['text'])))
    return messages;
  const rest = blocks.slice(0, -1);
  return [...messages.slice(0, -1), ...(rest.length === 0 ? [] : [{ ...last, content: rest }])];
}

function unmarked(text: string): string {
  return text.replace(/^<untrusted_input>\n([\s\S]*)\n<\/untrusted_input>$/, '$1');
}

/** Names of the tools that a request offers. */
export function offeredTools({ body }: RecordedRequest): readonly string[] {
  return list(fields(body)['tools'])
    .map(fields)
    .map((tool) => text(tool['name'] ?? fields(tool['function'])['name']));
}

export function toolChoice({ body }: RecordedRequest): unknown {
  return fields(body)['tool_choice'];
}

/**
 * A provider refuses a history in which a call has no result, or a result no call.
 *
 * @returns what is wrong; results must follow the calls they answer at once, each once, in call order [L4]
 */
export function historyProblems(messages: readonly SentMessage[]): string[] {
  const problems: string[] = [];
  let open: readonly string[] = [];
  for (const [index, message] of messages.entries()) {
    const answered = message.results.map(({ id }) => id);
    if (answered.some((id, place) => id !== open[place])) {
      problems.push(`message ${index}: results ${answered.join(', ')} for calls ${open.join(', ')}`);
    }
    open = open.slice(answered.length);
    if (answered.length === 0 && open.length > 0) {
      problems.push(`message ${index}: calls ${open.join(', ')} have no result`);
    }
    if (message.calls.length > 0) open = message.calls.map(({ id }) => id);
  }
  if (open.length > 0) problems.push(`at the end, calls ${open.join(', ')} have no result`);
  return problems;
}

function sentMessage(message: Fields): SentMessage {
  const blocks = typeof message['content'] === 'string' ? [] : list(message['content']).map(fields);
  const ofType = (type: string): readonly Fields[] => blocks.filter((block) => block['type'] === type);
  const isResult = message['role'] === 'tool';
  const plain = [text(message['content']), ...ofType('text').map((block) => text(block['text']))].join('');
  return {
    role: text(message['role']),
    text: isResult ? '' : plain,
    thinking: ofType('thinking').map((block) => ({
      text: text(block['thinking']),
      signature: text(block['signature']),
    })),
    calls: [
      ...list(message['tool_calls'])
        .map(fields)
        .map((call) => ({ id: text(call['id']), name: text(fields(call['function'])['name']) })),
      ...ofType('tool_use').map((block) => ({ id: text(block['id']), name: text(block['name']) })),
    ],
    results: isResult
      ? [{ id: text(message['tool_call_id']), text: unmarked(plain) }]
      : ofType('tool_result').map((block) => ({
          id: text(block['tool_use_id']),
          text: unmarked(resultText(block['content'])),
        })),
  };
}

function resultText(content: unknown): string {
  return typeof content === 'string'
    ? content
    : list(content)
        .map((block) => text(fields(block)['text']))
        .join('');
}

function fields(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value)) : {};
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
