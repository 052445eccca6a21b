import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { connectEngine, type EngineClient } from '@bulkhead/client';
import { type HomeLayout, homeLayout } from '@bulkhead/protocol';
import {
  type Script,
  type ScriptedModelServer,
  type ScriptedServerOptions,
  startScriptedModelServer,
} from '@bulkhead/testkit';
import { callCommand } from './called-command.ts';
import { CliProcess, type CliResult } from './cli-process.ts';
import { EngineProcesses } from './engine-processes.ts';
import { ModelFront } from './model-front.ts';
import { processesOfHome } from './process-table.ts';
import { parseStatus, type RunningStatus } from './running-status.ts';
import { until } from './until.ts';

/** Of `models`: titles come without a request, so that those of the conversation can be counted. */
export const OFFLINE_TITLES = 'title: { provider: offline, model: rules },';

/** Commands that do without an engine, or fail. */
const STARTS_NO_ENGINE = new Set(['audit', 'box', 'logs', 'processes', 'status', 'stop', 'token', 'why']);

export interface CallOptions {
  /** Added to the environment. */
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  readonly stdin?: string;
  readonly timeoutMs?: number;
  /** As a process of its own, for tests about what only a process has. */
  readonly asProcess?: boolean;
  /** A program and its first arguments that run the command. */
  readonly under?: readonly string[];
  /** Another build's command. */
  readonly command?: string;
}

/**
 * A home, a working folder and whatever runs on them: all of a test's world, and its end. Nothing of the
 * caller's environment gets in, so no real key is used and no real home touched.
 */
export class Stage implements AsyncDisposable {
  readonly #root: string;
  readonly layout: HomeLayout;
  /** The person's own home folder, for canaries. */
  readonly userHome: string;
  readonly #calls: CliProcess[] = [];
  readonly #servers: ScriptedModelServer[] = [];
  readonly #processes: EngineProcesses;
  #folder: string;
  #front: ModelFront | undefined;
  #config = '';

  /** @param place an existing folder, where all of it is made */
  constructor(place: string = tmpdir()) {
    this.#root = realpathSync(mkdtempSync(join(place, 'bulkhead-e2e-')));
    this.layout = homeLayout(join(this.#root, 'home'));
    this.#folder = join(this.#root, 'work');
    this.userHome = join(this.#root, 'user');
    this.#processes = new EngineProcesses(this.layout);
    for (const folder of [this.layout.root, this.folder, this.userHome]) mkdirSync(folder, { mode: 0o700 });
    this.configure('');
  }

  /** A stage for the tests of a file, one after the other: see `nextTest`. */
  static async shared(): Promise<Stage> {
    const stage = new Stage();
    stage.#front = await ModelFront.open();
    return stage;
  }

  /** The working folder. */
  get folder(): string {
    return this.#folder;
  }

  /** The engine goes on; commands and model servers of the test before end, and the working folder is new. */
  async nextTest(): Promise<void> {
    await this.#endCalls();
    this.#folder = mkdtempSync(join(this.#root, 'work-'));
  }

  /** Whether the engine can serve another test: nothing is running or pending in it. */
  async isQuiet(): Promise<boolean> {
    if (processesOfHome(this.layout.root).length === 0) return true;
    try {
      using client = await this.client();
      const { activeRuns } = await client.call('status', {});
      const { approvals } = await client.call('listApprovals', {});
      return activeRuns === 0 && approvals.length === 0;
    } catch {
      return false;
    }
  }

  /** Writes `config.yaml`: any free port, and what is given. */
  configure(yaml: string): void {
    this.#config = yaml;
    writeFileSync(this.layout.config, `server: { port: 0 }\n${yaml}`);
  }

  /** As `configure`; an engine that runs with another configuration is stopped. */
  async #reconfigure(yaml: string): Promise<void> {
    if (yaml === this.#config) return;
    await this.#processes.end();
    this.configure(yaml);
  }

  /** A scripted model server that nothing is configured to use. */
  async serve(script: Script, options: ScriptedServerOptions = {}): Promise<ScriptedModelServer> {
    const server = await startScriptedModelServer(script, options);
    this.#servers.push(server);
    return server;
  }

  /** A scripted model server, configured as the chat model. */
  async model(
    script: Script,
    options: ScriptedServerOptions & {
      readonly provider?: 'openai-compatible' | 'anthropic';
      /** More of the chat model's settings, as `key: value, `. */
      readonly chat?: string;
      /** More of `models`, as `key: value, `. */
      readonly models?: string;
      /** Short waits unless the test is about them. */
      readonly retry?: string;
      /** More of `config.yaml`. */
      readonly config?: string;
    } = {},
  ): Promise<ScriptedModelServer> {
    const server = await this.serve(script, options);
    const { provider = 'openai-compatible', retry = '{ baseDelaySeconds: 0.05 }' } = options;
    this.#front?.leadTo(server.port);
    const { url } = this.#front ?? server;
    const chat = `{ provider: ${provider}, model: m, ${options.chat ?? ''} baseUrl: '${url}/v1' }`;
    const models = `models: { ${options.models ?? ''} chat: ${chat} }`;
    const yaml = `${models}\nretry: ${retry}\n${options.config ?? ''}`;
    if (this.#front === undefined) this.configure(yaml);
    else await this.#reconfigure(yaml);
    return server;
  }

  /** Writes a file of the working folder. */
  write(name: string, text: string): void {
    const path = join(this.folder, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }

  /** Reads a file of the working folder. */
  read(name: string): string {
    return readFileSync(join(this.folder, name), 'utf8');
  }

  /** Starts the command and doesn't wait for it. */
  start(args: readonly string[], options: CallOptions = {}): CliProcess {
    const { under, command } = options;
    const call = new CliProcess(args, {
      ...this.#world(options),
      ...(under === undefined ? {} : { under }),
      ...(command === undefined ? {} : { command }),
    });
    this.#calls.push(call);
    return call;
  }

  /**
   * Runs the command to its end. It is called in this process, where nothing but its code and its streams are of
   * interest. A command that starts an engine is a process, as it is for a person.
   */
  cli(args: readonly string[], options: CallOptions = {}): Promise<CliResult> {
    const { asProcess = false, under, command } = options;
    const isPlain = under === undefined && command === undefined && !args.includes('--isolated');
    const startsNone = STARTS_NO_ENGINE.has(args[0] ?? '') || this.#hasSocket();
    if (asProcess || !isPlain || !startsNone) return this.start(args, options).done();
    return callCommand(args, this.#world(options));
  }

  #hasSocket(): boolean {
    try {
      return statSync(this.layout.socket).isSocket();
    } catch {
      return false;
    }
  }

  #world({ cwd, env, timeoutMs, stdin }: CallOptions) {
    return {
      cwd: cwd ?? this.folder,
      env: {
        PATH: process.env['PATH'] ?? '/usr/bin:/bin',
        LANG: 'C.UTF-8',
        HOME: this.userHome,
        BULKHEAD_HOME: this.layout.root,
        // No server is asked for a model that may run on this machine.
        OLLAMA_HOST: '127.0.0.1:1',
        ...env,
      },
      timeoutMs: timeoutMs ?? 120_000,
      ...(stdin === undefined ? {} : { stdin }),
    };
  }

  /** Starts the engine, unless one answers already. */
  async withEngine(): Promise<void> {
    try {
      (await this.client())[Symbol.dispose]();
    } catch {
      await this.cli(['start', '--daemon']);
    }
  }

  /** `bulkhead status --json` of the running engine. */
  async status(): Promise<RunningStatus> {
    const status = parseStatus((await this.cli(['status', '--json'])).stdout);
    this.#processes.remember([status.supervisor, status.engine, ...status.processes.map(({ pid }) => pid)]);
    return status;
  }

  /** Ends the engine as the kernel would; returns when its supervisor has another one up. */
  async killEngine(): Promise<void> {
    await (await this.engineKiller())();
  }

  /** As `killEngine`, for later: what it returns kills without another question to the engine. */
  async engineKiller(): Promise<() => Promise<void>> {
    const before = await this.#enginePid();
    return async () => {
      process.kill(before, 'SIGKILL');
      await until('another engine', async () => (await this.#enginePid().catch(() => before)) !== before);
    };
  }

  async #enginePid(): Promise<number> {
    using client = await this.client();
    const { supervisorPid, enginePid, processes } = await client.call('status', {});
    this.#processes.remember([supervisorPid, enginePid, ...processes.map(({ pid }) => pid)]);
    return enginePid;
  }

  /** A client of the running engine, as any program may have one. The caller closes it. */
  client(): Promise<EngineClient> {
    return connectEngine(this.layout);
  }

  /**
   * Ends whatever is left, and removes all of it.
   *
   * @throws Error if the engine could not be stopped, or a process of it outlived it
   */
  async [Symbol.asyncDispose](): Promise<void> {
    try {
      await Promise.all(this.#calls.map((call) => call.end()));
      await this.#processes.end();
    } finally {
      await this.#endCalls();
      await this.#front?.[Symbol.asyncDispose]();
      for (const folder of [this.layout.root, this.folder]) chmodSync(folder, 0o700);
      rmSync(this.#root, { recursive: true, force: true });
    }
  }

  async #endCalls(): Promise<void> {
    await Promise.all(this.#calls.splice(0).map((call) => call.end()));
    await Promise.all(this.#servers.splice(0).map((server) => server.close()));
  }
}
