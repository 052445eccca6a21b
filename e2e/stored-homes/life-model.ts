import type { RecordedRequest, ScriptedReply, ScriptHandler } from '@bulkhead/testkit';

type Reply = ScriptedReply;

const call = (name: string, args: unknown): Reply => ({ toolCalls: [{ name, args }] });
const write = (path: string, content: string): Reply => call('write', { path, content });
const bash = (command: string): Reply => call('bash', { command });

/** VS Code runs what it finds there: writing it always needs approval. */
const ask = (name: string): Reply => write(`.vscode/${name}.json`, '{}');

/** Stands for the address of the page. */
const PAGE = 'PAGE';

const LOAD_WEB = call('load_tools', { groups: ['web'] });
const FETCH = call('web_fetch', { url: PAGE });

/** Answers of the model, round after round, to a message that begins with `#` and this name. */
const REPLIES: Readonly<Record<string, readonly Reply[]>> = {
  hello: [{ text: 'Hello, Ada. The harbour is calm.' }],
  thinking: [
    { error: { status: 503, message: 'overloaded' } },
    {
      thinking: 'Seven is prime.',
      text: 'Seven.',
      usage: { input: 40, output: 9, cached: 12, reasoning: 4 },
    },
  ],
  refused: [write('.git/hooks/pre-commit', 'exit 1'), call('read', { path: '../user/.ssh/id_rsa' })],
  failed: [{ error: { status: 400, message: 'no such thing' } }],
  tools: [
    write('notes.md', '# Notes\n\nThe ferry leaves at nine.\n'),
    {
      toolCalls: [
        { name: 'read', args: { path: 'notes.md' }, id: 'call_read' },
        { name: 'ls', args: { path: '.' }, id: 'call_ls' },
        { name: 'grep', args: { pattern: 'ferry', path: '.' }, id: 'call_grep' },
        { name: 'find', args: { pattern: '*.md', path: '.' }, id: 'call_find' },
      ],
    },
    call('edit', { path: 'notes.md', old_text: 'nine', new_text: 'ten' }),
    {
      text: 'First the notes are counted.',
      ...bash('wc -l < notes.md > lines.txt; mkdir made; echo made > made/a.txt'),
    },
    call('write', { path: 7 }),
    { text: 'The ferry leaves at ten.' },
  ],
  large: [bash('seq 1 60000'), { text: 'Many numbers.' }],
  undone: [write('undone.txt', 'this is taken back\n')],
  kept: [write('kept.txt', 'after\n')],
  once: [ask('once')],
  session: [LOAD_WEB, FETCH, FETCH],
  always: [LOAD_WEB, FETCH],
  denied: [ask('denied')],
  question: [ask('question'), { text: 'The question was answered.' }],
  page: [LOAD_WEB, FETCH, write('hours.md', 'Nine to five, says the page.\n')],
  secret: [call('read', { path: 'plan.tfstate' })],
  remember: [
    call('load_tools', { groups: ['memory'] }),
    call('memory_write', { text: 'The ferry of Ada leaves at ten', heading: 'Ferry' }),
  ],
  skill: [call('load_skills', { names: ['mail'] })],
  client: [call('client_lamp', { on: true }), { text: 'The lamp is on.' }],
  background: [call('bash', { command: 'echo begun; sleep 600', background: true })],
  killed: [write('killed.txt', 'written before the end\n'), { text: 'It went on after the end.' }],
  suspended: [write('suspended.txt', 'written before the stop\n'), { text: 'It went on after the stop.' }],
};

/**
 * A model whose answers depend on the last message of the person and the rounds since; some can be held back.
 */
export class LifeModel {
  readonly #page: string;
  readonly #held = new Set<string>();
  readonly #waiting = new Set<string>();
  readonly #failed = new Set<string>();

  /** @param page address of the page that one message is about */
  constructor(page: string) {
    this.#page = page;
  }

  /** From now on says nothing in the second round of this message. */
  hold(name: string): void {
    this.#held.add(name);
  }

  release(name: string): void {
    this.#held.delete(name);
  }

  /** Whether a request of this message was left without an answer. */
  isWaiting(name: string): boolean {
    return this.#waiting.has(name);
  }

  readonly answer: ScriptHandler = (request) => {
    if (request.bodyText.includes('Which durable facts'))
      return { text: 'FACT: The ferry of Ada is called Tern' };
    if (request.bodyText.includes('Write the summary'))
      return { text: '## Goal\n- ferries\n## Next\n- none' };
    const { name, rounds } = taskOf(request);
    if (rounds > 0 && this.#held.has(name)) {
      this.#waiting.add(name);
      return { stall: 'before-first-byte' };
    }
    const replies = REPLIES[name] ?? [];
    // A failure is no round: the request after it is the same again.
    const skipped = replies[0]?.error !== undefined && this.#failed.has(name) ? 1 : 0;
    const reply = replies[rounds + skipped] ?? { text: `Done: ${name}.` };
    if (reply.error !== undefined && replies.length > 1) this.#failed.add(name);
    return JSON.parse(JSON.stringify(reply).replaceAll(`"${PAGE}"`, JSON.stringify(this.#page)));
  };
}

/** The message of the person that a request is about, and how many answers it has by now. */
function taskOf({ body }: RecordedRequest): { readonly name: string; readonly rounds: number } {
  const messages: readonly unknown[] =
    isRecord(body) && Array.isArray(body['messages']) ? body['messages'] : [];
  const names = messages.map((message) => nameIn(message));
  const at = names.findLastIndex((name) => name !== undefined);
  const rounds = messages.slice(at + 1).filter((one) => isRecord(one) && one['role'] === 'assistant').length;
  return { name: names[at] ?? '', rounds };
}

function nameIn(message: unknown): string | undefined {
  if (!isRecord(message) || message['role'] !== 'user') return undefined;
  const { content } = message;
  const parts: readonly unknown[] = Array.isArray(content) ? content : [{ text: content }];
  const texts = parts.map((part) => (isRecord(part) ? String(part['text'] ?? '') : ''));
  return texts.map((text) => /^#([a-z]+)/.exec(text)?.[1]).find((name) => name !== undefined);
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
