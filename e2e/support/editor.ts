import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import {
  type ClientConnection,
  client,
  methods,
  type NewSessionRequest,
  ndJsonStream,
  type RequestPermissionRequest,
  type RequestPermissionResponse,
  type SessionNotification,
  type SessionUpdate,
} from '@agentclientprotocol/sdk';
import type { Stage } from './stage.ts';
import { until } from './until.ts';

const COMMAND = fileURLToPath(new URL('../../bulkhead', import.meta.url));

type Kind = SessionUpdate['sessionUpdate'];
type Update<Name extends Kind> = Extract<SessionUpdate, { sessionUpdate: Name }>;
type Answer = (
  request: RequestPermissionRequest,
) => RequestPermissionResponse | Promise<RequestPermissionResponse>;

/** An editor with the protocol's own client in it, and the agent it started. */
export class Editor implements AsyncDisposable {
  readonly updates: SessionNotification[] = [];
  readonly questions: RequestPermissionRequest[] = [];
  /** How the person answers; closing the dialog where nothing is said. */
  answer: Answer = () => ({ outcome: { outcome: 'cancelled' } });
  readonly connection: ClientConnection;
  /** All that the agent wrote, byte for byte. */
  stdout = '';
  stderr = '';
  readonly #child;
  readonly #exit: Promise<unknown>;

  constructor(stage: Stage, args: readonly string[] = [], env: Readonly<Record<string, string>> = {}) {
    const child = spawn(COMMAND, ['acp', ...args], {
      cwd: stage.userHome,
      env: {
        PATH: process.env['PATH'] ?? '/usr/bin:/bin',
        LANG: 'C.UTF-8',
        HOME: stage.userHome,
        BULKHEAD_HOME: stage.layout.root,
        OLLAMA_HOST: '127.0.0.1:1',
        ...env,
      },
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    this.#child = child;
    this.#exit = once(child, 'exit');
    child.stdout.on('data', (piece: Buffer) => {
      this.stdout += piece.toString();
    });
    child.stderr.on('data', (piece: Buffer) => {
      this.stderr += piece.toString();
    });
    child.stdin.on('error', () => undefined);
    const stream = ndJsonStream(Writable.toWeb(child.stdin), Readable.toWeb(child.stdout));
    this.connection = client({ name: 'a test' })
      .onNotification(methods.client.session.update, ({ params }) => {
        this.updates.push(params);
      })
      .onRequest(methods.client.session.requestPermission, ({ params }) => {
        this.questions.push(params);
        return this.answer(params);
      })
      .connect(stream);
  }

  /** Starts an agent and makes itself known to it. */
  static async open(
    stage: Stage,
    args: readonly string[] = [],
    env: Readonly<Record<string, string>> = {},
  ): Promise<Editor> {
    const editor = new Editor(stage, args, env);
    await editor.connection.agent.request(methods.agent.initialize, {
      protocolVersion: 1,
      clientInfo: { name: 'a test', version: '1' },
      clientCapabilities: {
        fs: { readTextFile: true, writeTextFile: true },
        terminal: true,
        session: { notices: {} },
      },
    });
    return editor;
  }

  /** A session in the folder of the stage. */
  async begin(stage: Stage): Promise<string> {
    const request: NewSessionRequest = { cwd: stage.folder, mcpServers: [] };
    return (await this.connection.agent.request(methods.agent.session.new, request)).sessionId;
  }

  prompt(sessionId: string, text: string) {
    return this.connection.agent.request(methods.agent.session.prompt, {
      sessionId,
      prompt: [{ type: 'text', text }],
    });
  }

  /** Updates of one kind so far. */
  of<Name extends Kind>(kind: Name): readonly Update<Name>[] {
    return this.updates.map(({ update }) => update).filter((update) => isOf(kind, update));
  }

  /** The texts so far, chunks of one message joined. */
  said(kind: 'agent_message_chunk' | 'agent_thought_chunk' | 'user_message_chunk'): readonly string[] {
    const messages = new Map<string, string>();
    for (const { content, messageId } of this.of(kind)) {
      const key = messageId ?? '';
      messages.set(key, `${messages.get(key) ?? ''}${content.type === 'text' ? content.text : ''}`);
    }
    return [...messages.values()];
  }

  /** Writes past the client, as a broken editor would. */
  write(text: string): void {
    this.#child.stdin.write(text);
  }

  /** Lines the agent wrote so far, each one JSON. @throws Error where one is not */
  lines(): readonly Record<string, unknown>[] {
    return this.stdout
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line));
  }

  /** The editor is gone, as when its window is closed. @returns how the agent ended */
  async leave(): Promise<number | null> {
    this.#child.stdin.end();
    await this.#exit;
    return this.#child.exitCode;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.connection.close();
    if (this.#child.exitCode === null) this.#child.kill('SIGKILL');
    await until('the agent is gone', () => this.#child.exitCode !== null || this.#child.signalCode !== null);
  }
}

function isOf<Name extends Kind>(kind: Name, update: SessionUpdate): update is Update<Name> {
  return update.sessionUpdate === kind;
}
