import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { until } from '../support/until.ts';
import { callProgram, eventsOf, fields, lines, parsed } from './answers.ts';
import type { FixtureDoor, FixturePlace } from './fixture-place.ts';
import type { LifeModel } from './life-model.ts';

/** Sessions by what was done in them. */
export type LifeSessions = Readonly<Record<string, string>>;

const ASK = { approve: 'APPROVAL_MODE_ASK' };
const LAMP = {
  name: 'lamp',
  description: 'Switches the lamp.',
  inputSchemaJson: '{"type":"object","properties":{"on":{"type":"boolean"}},"required":["on"]}',
};

/** A PNG of one pixel. */
const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

/**
 * Lives through everything that leaves something in a home, as a person with a terminal and a program over
 * HTTP do. Ends with the engine running, one run held in its second round with a message behind it, and one
 * question open.
 */
export class RichLife {
  readonly #place: FixturePlace;
  readonly #model: LifeModel;
  readonly #page: string;
  readonly #sessions: Record<string, string> = {};
  readonly #tokens: Record<string, string> = {};
  #messages = 0;

  /** @param page address of the page */
  constructor(place: FixturePlace, model: LifeModel, page: string) {
    this.#place = place;
    this.#model = model;
    this.#page = page;
  }

  get sessions(): LifeSessions {
    return this.#sessions;
  }

  /** Tokens of programs, by name: secrets of this home alone. */
  get tokens(): Readonly<Record<string, string>> {
    return this.#tokens;
  }

  async live(): Promise<void> {
    await this.#settings();
    await this.#runs();
    const door = await this.#place.door();
    await this.#approvals(door);
    await this.#flow(door);
    await this.#tree(door);
    await this.#mind();
    await this.#programs(door);
    await this.#ends();
  }

  /** Configuration, secrets, policies, a trusted folder. */
  async #settings(): Promise<void> {
    const place = this.#place;
    const host = this.#page.slice('http://'.length, -1);
    const chat = `{ provider: openai-compatible, model: m, baseUrl: '${place.modelUrl}' }`;
    writeFileSync(
      join(place.home, 'config.yaml'),
      `# Written by a person; comments stay.
server: { port: 0 }
models: { title: { provider: offline, model: rules }, chat: ${chat} }
retry: { baseDelaySeconds: 0.05 }
chronicle: { days: 3650, snapshots: 1000 }
memory: { review: ask }
timeouts: { approvalSeconds: 3600 }
audit: { witnesses: [{ file: '${place.root}/witness.jsonl' }] }
tools: { web: { allowPrivate: ['${host}'] } }
`,
    );
    await place.ok(['config', 'set', 'limits.maxRounds', '12', 'queues.steer', 'one']);
    await place.ok(['config', 'secret', 'FIXTURE_KEY', '-'], 'a-value-of-no-use\n');
    place.write('AGENTS.md', 'Answer in one sentence.\n');
    place.write('kept.txt', 'before\n');
    place.write('plan.tfstate', 'door: Zq81kkPm27xVt04cWw93\n');
    place.write('.git/config', '[core]\n');
    await place.ok(['trust', '--yes']);
    await place.ok(['profile', 'create', 'work', '--from', 'default']);
  }

  /** Messages at a terminal. */
  async #runs(): Promise<void> {
    const place = this.#place;
    place.write('pixel.png', '');
    writeFileSync(join(place.folder, 'pixel.png'), Buffer.from(PIXEL, 'base64'));
    await this.#run('plain', ['#hello']);
    await this.#run('plain', ['#thinking about primes']);
    await this.#run('plain', ['--image', 'pixel.png', '#picture']);
    await this.#run('tools', ['#tools'], ['--approve', 'allow']);
    await this.#run('tools', ['#large'], ['--approve', 'allow']);
    await this.#run('refused', ['#refused']);
    await this.#run('refused', ['#failed']);
    await this.#run('dry', ['--dry-run', '#kept']);
    await place.ok(['run', '--otr', '#hello off the record']);
    await this.#run('undone', ['#undone'], ['--approve', 'allow']);
    const undone = await this.#lastSnapshot();
    await place.ok(['chronicle', 'rollback', undone]);
    await this.#run('undone', ['#kept'], ['--approve', 'allow']);
    await this.#run('background', ['#background'], ['--approve', 'allow']);
    await this.#run('deleted', ['#hello to be deleted']);
    await place.ok(['sessions', 'delete', this.#id('deleted'), '--yes']);
  }

  /** Questions and each kind of answer. */
  async #approvals(door: FixtureDoor): Promise<void> {
    await this.#create(door, 'asked');
    for (const [name, answer] of [
      ['once', 'y'],
      ['denied', 'n'],
      ['session', 's'],
    ] as const) {
      const message = await this.#send(door, 'asked', `#${name} ${this.#page}`, { options: ASK });
      await this.#place.ok(['approvals', 'answer', await this.#question(door), answer]);
      await this.#settled(door, 'asked', message);
    }
    await this.#create(door, 'always');
    const message = await this.#send(door, 'always', `#always ${this.#page}`, { options: ASK });
    await this.#place.ok(['approvals', 'answer', await this.#question(door), 'a']);
    await this.#settled(door, 'always', message);
  }

  /** Makes data that is not from the person, and data that is secret. */
  async #flow(door: FixtureDoor): Promise<void> {
    await this.#run('page', [`#page ${this.#page}`], ['--approve', 'allow']);
    await this.#place.ok(['ifc', 'trust', 'ada@example.org', '--session', this.#id('page'), '--yes']);
    await this.#run('secret', ['#secret']);
    await this.#run('declassified', ['#secret']);
    await this.#place.ok(['ifc', 'declassify', '--session', this.#id('declassified'), '--yes']);
    await this.#create(door, 'attached');
    const attachments = [{ name: 'letter.txt', text: 'Dear reader, the ferry leaves at ten.' }];
    await this.#settled(door, 'attached', await this.#send(door, 'attached', '#letter', { attachments }));
    await this.#create(door, 'client');
    const message = await this.#send(door, 'client', '#client', { options: { clientTools: [LAMP] } });
    const callId = await until('the client is called', async () => {
      const events = await eventsOf(door, this.#id('client'));
      return events.find((event) => event['type'] === 'client_call')?.['call'];
    });
    const result = { callId, text: 'on', isError: false };
    await door.call('POST', `/sessions/${this.#id('client')}/tool-results`, result);
    await this.#settled(door, 'client', message);
  }

  /** Branches, names, rules, summaries. */
  async #tree(door: FixtureDoor): Promise<void> {
    const place = this.#place;
    const plain = this.#id('plain');
    const entries = lines((await place.ok(['sessions', 'show', plain, '--entries', '--json'])).stdout);
    const [, second = ''] = entries.map((entry) => String(entry['entry']));
    this.#sessions['forked'] = (await place.ok(['sessions', 'fork', plain, '--at', second])).stdout.trim();
    await this.#run('forked', ['#hello in the fork']);
    await place.ok(['sessions', 'title', this.#id('forked'), 'A walk by the harbour']);
    await this.#run('branched', ['#hello first']);
    await this.#run('branched', ['#hello second']);
    await place.ok(['sessions', 'move', this.#id('branched'), 'start', '--summary', 'we greeted']);
    await this.#run('branched', ['#hello on another branch']);
    await place.ok(['sessions', 'label', plain, second, 'the calm harbour']);
    await place.ok(['sessions', 'pin', plain, 'Speak of ferries only']);
    await place.ok(['sessions', 'pin', plain, 'Never mention trains']);
    await place.ok(['sessions', 'unpin', plain, '1']);
    for (const number of [1, 2, 3, 4])
      await this.#run('compacted', [`#hello ${number} ${'The ferry leaves at ten. '.repeat(80)}`]);
    await place.ok(['sessions', 'compact', this.#id('compacted'), '--focus', 'ferries']);
    await this.#run('compacted', ['#hello after the summary']);
    const file = join(place.root, 'user', 'exported.jsonl');
    await place.ok(['sessions', 'export', this.#id('tools'), '--output', file]);
    const imported = (await place.ok(['sessions', 'import', file, '--cwd', place.folder])).stdout.trim();
    this.#sessions['imported'] = imported;
    await this.#run('imported', ['#hello after the import']);
    await door.call('PUT', `/sessions/${imported}/title`, { title: 'Imported' });
  }

  /** Memory and skills. */
  async #mind(): Promise<void> {
    const place = this.#place;
    await place.ok(['memory', 'add', 'The cat is called Miso', '--heading', 'Cats']);
    await place.ok(['memory', 'add', 'Sailed to the lighthouse', '--file', 'daily']);
    await place.ok(['memory', 'add', 'Vegetarian', '--file', 'user']);
    await this.#run('remember', ['#remember it']);
    const source = join(place.root, 'user', 'mail');
    mkdirSync(source);
    writeFileSync(
      join(source, 'SKILL.md'),
      '---\nname: mail\ndescription: Writes mail.\n---\nSign with Ada.\n',
    );
    const seen = await place.cli(['skill', 'install', source, '--json']);
    const hash = String(parsed(seen.stdout)['hash']);
    await place.ok(['skill', 'install', source, '--yes', '--hash', hash]);
    await place.ok(['skill', 'new', 'report']);
    await this.#run('skill', ['#skill please']);
  }

  /** Programs and browsers over HTTP, and another signing key. */
  async #programs(door: FixtureDoor): Promise<void> {
    const place = this.#place;
    for (const name of ['weather', 'gone'])
      this.#tokens[name] = (await place.ok(['token', 'create', name])).stdout.trim();
    await callProgram(door, this.#tokens);
    const input = { model: 'bulkhead', input: '#hello for a response' };
    const weather = { authorization: `Bearer ${this.#tokens['weather']}` };
    const response = await door.send('POST', '/v1/responses', input, weather);
    this.#tokens['response'] = String(parsed(response.text)['id']);
    await place.ok(['token', 'revoke', 'gone']);
    const [origin = '', code = ''] = (await place.ok(['token', 'show', '--login'])).stdout
      .trim()
      .split('/#login=');
    const login = await door.send('POST', '/api/v1/login', { code }, { origin });
    if (login.status !== 200) throw new Error(`login: ${login.status} ${login.text}`);
    await place.ok(['audit', 'rotate-key']);
  }

  /** The engine is killed in a run; another run, a message behind it and a question stay open. */
  async #ends(): Promise<void> {
    const place = this.#place;
    let door = await place.door();
    this.#model.hold('killed');
    await this.#create(door, 'killed');
    const killed = await this.#send(door, 'killed', '#killed', {});
    await until('the second round', () => this.#model.isWaiting('killed'));
    this.#model.release('killed');
    await place.killEngine();
    door = await place.door();
    await this.#settled(door, 'killed', killed);
    this.#model.hold('suspended');
    await this.#create(door, 'suspended');
    await this.#send(door, 'suspended', '#suspended', {});
    await until('the second round', () => this.#model.isWaiting('suspended'));
    await this.#send(door, 'suspended', '#hello from the queue', {});
    await this.#create(door, 'question');
    await this.#send(door, 'question', '#question', { options: ASK });
    await this.#question(door);
  }

  #id(name: string): string {
    const id = this.#sessions[name];
    if (id === undefined) throw new Error(`no session ${name}`);
    return id;
  }

  /** One message at a terminal, in a session of this name. */
  async #run(name: string, prompt: readonly string[], options: readonly string[] = []): Promise<void> {
    const known = this.#sessions[name];
    const session = known === undefined ? [] : ['--session', known];
    const { stdout, stderr } = await this.#place.cli(['run', '--json', ...session, ...options, ...prompt]);
    const [first] = lines(stdout);
    if (first === undefined) throw new Error(`${name}: ${stderr}`);
    this.#sessions[name] = String(first['session']);
  }

  async #create(door: FixtureDoor, name: string): Promise<void> {
    const answer = await door.call('POST', '/sessions', { workingFolder: this.#place.folder });
    this.#sessions[name] = String(fields(answer)['sessionId']);
  }

  async #send(door: FixtureDoor, name: string, content: string, more: object): Promise<string> {
    this.#messages += 1;
    const messageId = `message-${this.#messages}`;
    await door.call('POST', `/sessions/${this.#id(name)}/messages`, { messageId, content, ...more });
    return messageId;
  }

  async #settled(door: FixtureDoor, name: string, messageId: string): Promise<void> {
    await until(`${name}: ${messageId} is settled`, async () =>
      (await eventsOf(door, this.#id(name))).some(
        (one) => one['type'] === 'settled' && one['message'] === messageId,
      ),
    );
  }

  /** Id of the one question that is open. */
  async #question(door: FixtureDoor): Promise<string> {
    return await until('a question', async () => {
      const { approvals } = fields(await door.call('GET', '/approvals'));
      const [first] = Array.isArray(approvals) ? approvals : [];
      const id = fields(first)['approvalId'];
      return typeof id === 'string' && id;
    });
  }

  async #lastSnapshot(): Promise<string> {
    const list = await this.#place.json(['chronicle', 'list']);
    return String(fields(Array.isArray(list) ? list[0] : undefined)['id']);
  }
}
