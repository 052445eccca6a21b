import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { homeLayout } from '@bulkhead/protocol';
import { type ScriptedModelServer, type ScriptHandler, startScriptedModelServer } from '@bulkhead/testkit';
import { CliProcess, type CliResult } from '../support/cli-process.ts';
import { EngineProcesses } from '../support/engine-processes.ts';
import { isAlive, processEntry } from '../support/process-table.ts';
import { until } from '../support/until.ts';

/** The command of this checkout. */
export const OWN_COMMAND = fileURLToPath(new URL('../../bulkhead', import.meta.url));

/** Folder of the packed homes. */
export const HOMES = fileURLToPath(new URL('../fixtures/homes', import.meta.url));

/** In a place that is taken: the process that has it. */
const OWNER = 'owner.json';

/** Another test of the same fixture, in another checkout, may have the place for this long. */
const WAIT_MS = 240_000;

const CALL_MS = 60_000;

/** Where the archive says that a model server answered; every place has one with a port of its own. */
const MODEL_ADDRESS = /http:\/\/127\.0\.0\.1:\d+\/v1/g;
const NEUTRAL_ADDRESS = 'http://127.0.0.1:1/v1';

/**
 * A home, a working folder and a product on them, at a path that depends on the fixture's name alone:
 * databases and the signed audit log hold absolute paths, so a packed home can only be opened where it was
 * written. One process at a time has the place.
 */
export class FixturePlace implements AsyncDisposable {
  readonly root: string;
  readonly home: string;
  readonly folder: string;
  readonly #command: string;
  readonly #env: Readonly<Record<string, string>>;
  readonly #model: ScriptedModelServer;
  readonly #processes: EngineProcesses;

  private constructor(
    root: string,
    command: string,
    model: ScriptedModelServer,
    env: Record<string, string>,
  ) {
    this.root = root;
    this.home = join(root, 'home');
    this.folder = join(root, 'work');
    this.#command = command;
    this.#model = model;
    this.#env = env;
    this.#processes = new EngineProcesses(homeLayout(this.home));
  }

  /**
   * Takes the place of a fixture and empties it.
   *
   * @param name of the fixture
   * @param options.command the product's command
   * @param options.env more of the environment of every call
   * @throws Error if another process keeps the place
   */
  static async take(
    name: string,
    script: ScriptHandler,
    options: { readonly command?: string; readonly env?: Readonly<Record<string, string>> } = {},
  ): Promise<FixturePlace> {
    const root = `/tmp/bulkhead-fixture-${name}`;
    await until(`nobody else uses ${root}`, () => claim(root), WAIT_MS);
    const model = await startScriptedModelServer(script);
    const place = new FixturePlace(root, options.command ?? OWN_COMMAND, model, { ...options.env });
    for (const folder of [place.home, place.folder, join(root, 'user')]) mkdirSync(folder, { mode: 0o700 });
    return place;
  }

  /** Base URL of the scripted model. */
  get modelUrl(): string {
    return `${this.#model.url}/v1`;
  }

  /** Writes a file of the working folder. */
  write(name: string, text: string): void {
    const path = join(this.folder, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }

  /** Runs the command to its end. */
  async cli(args: readonly string[], stdin?: string): Promise<CliResult> {
    return await new CliProcess(args, {
      cwd: this.folder,
      command: this.#command,
      env: {
        PATH: '/usr/local/bin:/usr/bin:/bin',
        LANG: 'C.UTF-8',
        HOME: join(this.root, 'user'),
        BULKHEAD_HOME: this.home,
        OLLAMA_HOST: '127.0.0.1:1',
        ...this.#env,
      },
      timeoutMs: CALL_MS,
      ...(stdin === undefined ? {} : { stdin }),
    }).done();
  }

  /** As `cli`. @throws Error if it ends with anything but 0 */
  async ok(args: readonly string[], stdin?: string): Promise<CliResult> {
    const result = await this.cli(args, stdin);
    if (result.code !== 0)
      throw new Error(`${args.join(' ')}: ${result.code}\n${result.stdout}${result.stderr}`);
    return result;
  }

  /** Returns the output of the command with `--json`. @throws as `ok` */
  async json(args: readonly string[]): Promise<unknown> {
    return JSON.parse((await this.ok([...args, '--json'])).stdout);
  }

  /** The door of the running engine, for its owner. */
  async door(): Promise<FixtureDoor> {
    const [address = ''] = (await this.ok(['token', 'show', '--login'])).stdout.trim().split('/#login=');
    return new FixtureDoor(address, (await this.ok(['token', 'show'])).stdout.trim());
  }

  async start(): Promise<void> {
    await this.ok(['start', '--daemon']);
  }

  /** Ends the engine as the kernel would, and waits for the one its supervisor starts. */
  async killEngine(): Promise<void> {
    const before = await this.#enginePid();
    process.kill(before, 'SIGKILL');
    const another = async () => ![0, before].includes(await this.#enginePid().catch(() => 0));
    await until('another engine', another);
  }

  async #enginePid(): Promise<number> {
    const status: unknown = JSON.parse((await this.cli(['status', '--json'])).stdout);
    const pid = typeof status === 'object' && status !== null && 'engine' in status ? status.engine : 0;
    return typeof pid === 'number' ? pid : 0;
  }

  /**
   * Packs home and working folders; the same files give the same bytes. Files that an engine has
   * only while it runs are left out.
   */
  pack(archive: string): void {
    const form = ['--sort=name', '--mtime=@0', '--owner=0', '--group=0', '--numeric-owner', '--format=ustar'];
    // `home-work` is where sessions of programs work.
    const parts = ['home', 'home-work', 'work', 'witness.jsonl'];
    const tar = [...form, '--exclude=home/state/run/*', '-cf', '-', '-C', this.root, ...parts];
    mkdirSync(dirname(archive), { recursive: true });
    const bytes = execFileSync('tar', tar, { maxBuffer: 2 ** 28 });
    writeFileSync(archive, execFileSync('gzip', ['-9n'], { input: bytes, maxBuffer: 2 ** 28 }));
  }

  /** Unpacks an archive into the empty place; its model is the one of this place. */
  unpack(archive: string): void {
    execFileSync('tar', ['-xzmpf', archive, '--no-same-owner', '-C', this.root]);
    const config = homeLayout(this.home).config;
    writeFileSync(config, readFileSync(config, 'utf8').replace(MODEL_ADDRESS, this.modelUrl));
  }

  /** Lets the chronicle know the unpacked working folder again: an inode can't be packed. */
  adoptFolder(): void {
    const { dev, ino } = statSync(this.folder, { bigint: true });
    const snapshots = join(this.home, 'state/chronicle/snapshots');
    for (const name of readdirSync(snapshots)) {
      const path = join(snapshots, name);
      const lines = readFileSync(path, 'utf8').split('\n').slice(0, -2);
      const known = `"path":"${this.folder}","identity":`;
      const text = lines.map((line) =>
        line.replace(new RegExp(`${known}"[^"]+"`), `${known}"${dev}:${ino}"`),
      );
      const body = text.map((line) => `${line}\n`).join('');
      const sha256 = createHash('sha256').update(body).digest('hex');
      writeFileSync(path, `${body}${JSON.stringify({ sha256 })}\n`);
    }
  }

  /** The same value without the port of this place's model. */
  neutral(value: unknown): unknown {
    return JSON.parse(JSON.stringify(value).replaceAll(this.modelUrl, NEUTRAL_ADDRESS));
  }

  /** Ends what runs and removes all of it. @throws Error if a process had to be killed */
  async [Symbol.asyncDispose](): Promise<void> {
    try {
      await this.cli(['stop']);
      await this.#processes.end();
    } finally {
      await this.#model.close();
      rmSync(this.root, { recursive: true, force: true });
    }
  }
}

/** The owner's way in over HTTP. */
export class FixtureDoor {
  readonly #address: string;
  readonly #token: string;

  constructor(address: string, token: string) {
    this.#address = address;
    this.#token = token;
  }

  /** A call of `/api/v1`: JSON in, JSON out. @throws Error unless it is answered with 200 */
  async call(method: string, path: string, body?: unknown): Promise<unknown> {
    const { status, text } = await this.send(method, `/api/v1${path}`, body);
    if (status !== 200) throw new Error(`${method} ${path}: ${status} ${text}`);
    return JSON.parse(text);
  }

  /** @param headers win over the owner's token */
  async send(
    method: string,
    path: string,
    body?: unknown,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<{ readonly status: number; readonly text: string }> {
    const response = await fetch(`${this.#address}${path}`, {
      method,
      headers: { authorization: `Bearer ${this.#token}`, 'content-type': 'application/json', ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: response.status, text: await response.text() };
  }
}

/** @returns false while a living process has it */
function claim(root: string): boolean {
  const own = `${root}-${process.pid}`;
  rmSync(own, { recursive: true, force: true });
  mkdirSync(own, { mode: 0o700 });
  writeFileSync(join(own, OWNER), JSON.stringify(processEntry(process.pid)));
  try {
    // Fails where a folder is that holds anything: a place is taken by one, with its name in it.
    renameSync(own, root);
    return true;
  } catch (error) {
    rmSync(own, { recursive: true });
    if (!isTaken(error)) throw error;
    if (isAlive(JSON.parse(readFileSync(join(root, OWNER), 'utf8')))) return false;
    rmSync(root, { recursive: true, force: true });
    return false;
  }
}

function isTaken(error: unknown): boolean {
  return error instanceof Error && 'code' in error && ['EEXIST', 'ENOTEMPTY'].includes(String(error.code));
}
