import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Answer, HttpDoor } from './http-door.ts';
import { processesOf } from './processes.ts';

/** Output of a command of the product. */
export interface CommandEnd {
  /** -1 if a signal ended it. */
  readonly code: number;
  readonly text: string;
}

/** A line of the event stream, as far as the oracle reads it. */
export interface EventLine {
  readonly type: string;
  readonly [field: string]: unknown;
}

export interface WorldOptions {
  /** The `bulkhead` command of the build under test. */
  readonly command: string;
  /** Address of the model server, with its path. */
  readonly model: string;
  /** Existing folder where home and working folder are made; a new one in the temporary folder if absent. */
  readonly place?: string;
  /** More of `config.yaml`. */
  readonly config?: string;
  /** More of the environment of every process. */
  readonly env?: Readonly<Record<string, string>>;
}

/** A home and a working folder that are used as any person or program may: by the command and over HTTP. */
export class World implements AsyncDisposable {
  readonly root: string;
  readonly home: string;
  readonly work: string;
  readonly door: HttpDoor;
  readonly #options: WorldOptions;
  readonly #calls: ChildProcess[] = [];

  private constructor(options: WorldOptions, port: number) {
    this.#options = options;
    this.root = realpathSync(mkdtempSync(join(options.place ?? tmpdir(), 'outside-')));
    this.home = join(this.root, 'home');
    this.work = join(this.root, 'work');
    mkdirSync(this.home, { mode: 0o700 });
    mkdirSync(this.work);
    writeFileSync(join(this.home, 'config.yaml'), configOf(options, port));
    this.door = new HttpDoor(port, () => this.#token());
  }

  static async make(options: WorldOptions): Promise<World> {
    return new World(options, await freePort());
  }

  /** Runs the command to its end, at most `timeoutMs`. */
  async cli(args: readonly string[], timeoutMs = 60_000): Promise<CommandEnd> {
    const child = spawn(this.#options.command, args, {
      cwd: this.work,
      env: this.environment(),
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: timeoutMs,
      killSignal: 'SIGKILL',
    });
    this.#calls.push(child);
    let text = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (part: string) => {
        text += part;
      });
    const code = await new Promise<number>((resolve) => {
      child.once('error', () => resolve(-1));
      child.once('exit', (status) => setTimeout(() => resolve(status ?? -1), 20));
    });
    return { code, text };
  }

  environment(): Readonly<Record<string, string>> {
    return {
      PATH: process.env['PATH'] ?? '/usr/bin:/bin',
      LANG: 'C.UTF-8',
      HOME: this.root,
      BULKHEAD_HOME: this.home,
      OLLAMA_HOST: '127.0.0.1:1',
      ...this.#options.env,
    };
  }

  /** @returns true once an engine serves this home */
  async start(): Promise<boolean> {
    const { code } = await this.cli(['start', '--daemon']);
    return code === 0 && (await this.isUp());
  }

  /** Waits until an engine answers. */
  async isUp(withinMs = 60_000): Promise<boolean> {
    for (const end = Date.now() + withinMs; Date.now() < end; await sleep(50)) {
      if ((await this.door.get('/healthz')).status === 200) return true;
    }
    return false;
  }

  /** The supervisor, the engine and all they started. */
  processes(): readonly number[] {
    return processesOf(this.home);
  }

  /** Ends all of it as the kernel would, and waits until it is gone. */
  async kill(): Promise<void> {
    for (const child of this.#calls) child.kill('SIGKILL');
    for (const end = Date.now() + 10_000; Date.now() < end; await sleep(20)) {
      const left = this.processes();
      if (left.length === 0) return;
      for (const pid of left) killQuietly(pid);
    }
    throw new Error(`processes of ${this.home} can not be killed`);
  }

  /** @returns the id of a new session on the working folder; an engine that stops or starts is asked again for a while */
  async session(folder = this.work): Promise<string> {
    for (const end = Date.now() + 60_000; ; await sleep(200)) {
      const { status, body } = await this.door.post('/api/v1/sessions', { workingFolder: folder });
      const { sessionId } = { sessionId: '', ...fieldsOf(body) };
      if (typeof sessionId === 'string' && sessionId !== '') return sessionId;
      if (![0, 503].includes(status) || Date.now() > end)
        throw new Error(`no session: ${JSON.stringify(body)}`);
      if (status === 0 && this.processes().length === 0) await this.start();
    }
  }

  /** Sends a message. @returns the answer; status 0 if there was none */
  async send(session: string, messageId: string, content: string, approve = 'ALLOW'): Promise<Answer> {
    const options = { approve: `APPROVAL_MODE_${approve}` };
    return await this.door.post(`/api/v1/sessions/${session}/messages`, { messageId, content, options });
  }

  /** All durable events of a session so far; empty without an answer. */
  async events(session: string): Promise<readonly EventLine[]> {
    const { status, text } = await this.door.get(`/api/v1/sessions/${session}/events`);
    if (status !== 200) return [];
    return text.split('\n').flatMap((line) => (line === '' ? [] : [eventOf(line)]));
  }

  /** Waits for the end of a message. @returns undefined if it did not come in time */
  async settled(session: string, messageId: string, withinMs = 60_000): Promise<EventLine | undefined> {
    for (const end = Date.now() + withinMs; Date.now() < end; await sleep(100)) {
      const found = (await this.events(session)).find(
        (event) => event.type === 'settled' && event['message'] === messageId,
      );
      if (found !== undefined) return found;
    }
    return undefined;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.kill();
    rmSync(this.root, { recursive: true, force: true });
  }

  async #token(): Promise<string> {
    return (await this.cli(['token'])).text.trim();
  }
}

export function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

function eventOf(line: string): EventLine {
  const fields = fieldsOf(JSON.parse(line));
  return { ...fields, type: String(fields['type']) };
}

function configOf({ model, config = '' }: WorldOptions, port: number): string {
  return [
    `server: { port: ${port} }`,
    `models: { title: { provider: offline, model: rules }, chat: { provider: openai-compatible, model: m, baseUrl: '${model}' } }`,
    'retry: { baseDelaySeconds: 0.2 }',
    config,
    '',
  ].join('\n');
}

function killQuietly(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended by now.
  }
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
  const address = server.address();
  await new Promise<void>((resolve) => server.close(() => resolve()));
  if (address === null || typeof address === 'string') throw new Error('no free port');
  return address.port;
}
