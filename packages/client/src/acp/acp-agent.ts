import {
  type AgentContext,
  type InitializeRequest,
  type InitializeResponse,
  type ListSessionsResponse,
  type NewSessionRequest,
  PROTOCOL_VERSION,
  type PromptRequest,
  type SessionConfigOption,
  type SessionModeState,
  type SessionUpdate,
  type SetSessionConfigOptionRequest,
  type StopReason,
} from '@agentclientprotocol/sdk';
import { BulkheadError, type Clock, describeError, PRODUCT_VERSION } from '@bulkhead/protocol';
import type { SessionSummary } from '@bulkhead/protocol/client';
import type { EngineLink } from '../engine-link.ts';
import { branchEntries, readSession } from '../session-reads.ts';
import { promptMessage } from './content/prompt-message.ts';
import { realFolder } from './content/real-folder.ts';
import type { EngineDoor } from './engine-door.ts';
import { PastUpdates } from './session/past-updates.ts';
import { notify, runPrompt } from './session/run-prompt.ts';
import { SessionChoices } from './session/session-choices.ts';
import { type SessionWords, sessionWords } from './session/session-words.ts';
import { slashCommands, withoutSlash } from './session/slash-commands.ts';
import { usageMeter } from './session/usage-meter.ts';
import { abilitiesOf, type EditorAbilities } from './updates/editor-abilities.ts';

export interface AcpAgentOptions {
  readonly door: EngineDoor;
  readonly clock: Clock;
  readonly newId: () => string;
  /** Models that the editor offers beside the configured one, as `provider/model`. */
  readonly models: readonly string[];
  /** A line for a person who investigates an error. */
  readonly log: (line: string) => void;
}

/** A session that this editor has opened. */
interface OpenSession {
  readonly folder: string;
  readonly choices: SessionChoices;
  /** One per prompt in progress. */
  readonly stops: Set<AbortController>;
  /** Notices for the person, sent with the next prompt. */
  readonly words: SessionWords[];
}

/** The answer to an editor that opens a session. */
interface SessionState {
  readonly modes: SessionModeState;
  readonly configOptions: SessionConfigOption[];
}

/** One connection of an editor: its sessions and its requests. */
export class AcpAgent {
  readonly #options: AcpAgentOptions;
  readonly #sessions = new Map<string, OpenSession>();
  readonly #prompts = new Set<Promise<unknown>>();
  #abilities: EditorAbilities = { notices: false, compaction: false };

  constructor(options: AcpAgentOptions) {
    this.#options = options;
  }

  /** Starts no engine: an editor asks this of every known agent. */
  initialize({ clientCapabilities }: InitializeRequest): InitializeResponse {
    this.#abilities = abilitiesOf(clientCapabilities);
    return {
      protocolVersion: PROTOCOL_VERSION,
      agentInfo: { name: 'bulkhead', title: 'Bulkhead', version: PRODUCT_VERSION },
      agentCapabilities: {
        loadSession: true,
        promptCapabilities: { image: true, audio: false, embeddedContext: false },
        sessionCapabilities: { list: {}, resume: {}, close: {} },
      },
      authMethods: [],
    };
  }

  async newSession(
    request: NewSessionRequest,
    signal: AbortSignal,
  ): Promise<SessionState & { sessionId: string }> {
    const folder = realFolder(request.cwd);
    const link = await this.#options.door.link(signal);
    const { sessionId } = await link.once((client) =>
      client.call('createSession', { workingFolder: folder }, signal),
    );
    return { sessionId, ...(await this.#enter(link, sessionId, folder, request, signal)) };
  }

  /** @throws BulkheadError `not_found`; `usage` if the session works in another folder */
  async resumeSession(
    request: { readonly sessionId: string; readonly cwd: string; readonly mcpServers?: readonly unknown[] },
    signal: AbortSignal,
  ): Promise<SessionState> {
    const link = await this.#options.door.link(signal);
    const known = await this.#known(link, request.sessionId, signal);
    const folder = realFolder(request.cwd);
    if (known.workingFolder !== folder) {
      throw new BulkheadError('usage', `this session works in ${known.workingFolder}, not in ${folder}`, {
        fix: 'Open that folder, or start a new session here.',
      });
    }
    return this.#enter(link, request.sessionId, folder, request, signal);
  }

  /**
   * Sends the data that an editor shows beside a newly opened session: its `/` commands, and how
   * full it is. Never rejects.
   */
  async tellBeside(sessionId: string, client: AgentContext): Promise<void> {
    const { signal } = new AbortController();
    const folder = this.#sessions.get(sessionId)?.folder;
    if (folder === undefined) return;
    await this.#tell(client, sessionId, signal, (link) => slashCommands(link, folder, signal));
    await this.#tell(client, sessionId, signal, (link) => usageMeter(link, sessionId, signal));
  }

  /** As `resumeSession`, and sends the whole conversation again. */
  async loadSession(
    request: { readonly sessionId: string; readonly cwd: string; readonly mcpServers?: readonly unknown[] },
    client: AgentContext,
    signal: AbortSignal,
  ): Promise<SessionState> {
    const state = await this.resumeSession(request, signal);
    const { sessionId } = request;
    const link = await this.#options.door.link(signal);
    const { folder } = this.#open(sessionId);
    await link.once(async (engine) => {
      const past = new PastUpdates(folder);
      for await (const entry of branchEntries(engine, { sessionId }, signal)) {
        for (const update of past.of(entry)) await notify(client, sessionId, update);
      }
    });
    return state;
  }

  async listSessions(cwd: string | undefined, signal: AbortSignal): Promise<ListSessionsResponse> {
    const folder = cwd === undefined ? undefined : realFolder(cwd);
    const link = await this.#options.door.link(signal);
    const { sessions } = await link.repeat((client) => client.call('listSessions', {}, signal), signal);
    const usable = sessions.filter(
      ({ damage, workingFolder }) => damage === '' && (folder === undefined || workingFolder === folder),
    );
    return {
      sessions: usable.map(({ sessionId, workingFolder, title, updatedAt }) => ({
        sessionId,
        cwd: workingFolder,
        title,
        updatedAt,
      })),
    };
  }

  /** @throws BulkheadError the run's error */
  async prompt(
    { sessionId, prompt }: PromptRequest,
    client: AgentContext,
    signal: AbortSignal,
  ): Promise<StopReason> {
    const { door, clock, newId, log } = this.#options;
    const session = this.#open(sessionId);
    const { folder, choices, stops } = session;
    const message = promptMessage(prompt);
    const stop = new AbortController();
    stops.add(stop);
    try {
      await this.#tellWords(session, sessionId, client);
      const link = await door.link(signal);
      const text = await withoutSlash(link, folder, message.text, signal);
      const running = runPrompt({
        link,
        client,
        sessionId,
        folder,
        message: { ...message, text },
        options: choices.runOptions,
        abilities: this.#abilities,
        clock,
        newId,
        log,
        stop: AbortSignal.any([stop.signal, signal]),
      });
      this.#prompts.add(running);
      const reason = await running.finally(() => this.#prompts.delete(running));
      await this.#tell(client, sessionId, signal, (known) => usageMeter(known, sessionId, signal));
      return reason;
    } finally {
      stops.delete(stop);
    }
  }

  cancel(sessionId: string): void {
    for (const stop of this.#sessions.get(sessionId)?.stops ?? []) stop.abort();
  }

  closeSession(sessionId: string): void {
    this.#open(sessionId);
    this.cancel(sessionId);
    this.#sessions.delete(sessionId);
  }

  setMode(sessionId: string, mode: string): void {
    this.#open(sessionId).choices.chooseMode(mode);
  }

  setOption(request: SetSessionConfigOptionRequest): SessionConfigOption[] {
    const { choices } = this.#open(request.sessionId);
    choices.chooseOption(request.configId, request.value);
    return choices.options;
  }

  /** Cancels the run, and returns when it has ended. */
  async close(): Promise<void> {
    for (const sessionId of this.#sessions.keys()) this.cancel(sessionId);
    await Promise.allSettled(this.#prompts);
  }

  async #enter(
    link: EngineLink,
    sessionId: string,
    folder: string,
    { mcpServers = [] }: { readonly mcpServers?: readonly unknown[] },
    signal: AbortSignal,
  ): Promise<SessionState> {
    const { model } = await link.repeat((client) => client.call('status', {}, signal), signal);
    const choices = new SessionChoices(model, this.#options.models);
    const words = [...(await sessionWords(link, folder, mcpServers, signal))];
    this.#sessions.set(sessionId, { folder, choices, stops: new Set(), words });
    return { modes: choices.modes, configOptions: choices.options };
  }

  async #known(link: EngineLink, sessionId: string, signal: AbortSignal): Promise<SessionSummary> {
    const known = await link.repeat((client) => readSession(client, sessionId, signal), signal);
    // An editor knows whole ids: an id that only begins the same is another session.
    if (known.sessionId !== sessionId)
      throw new BulkheadError('not_found', `there is no session ${sessionId}`);
    return known;
  }

  #open(sessionId: string): OpenSession {
    const session = this.#sessions.get(sessionId);
    if (session !== undefined) return session;
    throw new BulkheadError('not_found', `session ${sessionId} is not open here`, {
      fix: 'Begin one with session/new, or open it with session/load.',
    });
  }

  /** Optional parts of the conversation: on failure, the editor's log gets a line. */
  async #tell(
    client: AgentContext,
    sessionId: string,
    signal: AbortSignal,
    read: (link: EngineLink) => Promise<SessionUpdate | undefined>,
  ): Promise<void> {
    try {
      const update = await read(await this.#options.door.link(signal));
      if (update !== undefined) await notify(client, sessionId, update);
    } catch (error) {
      this.#options.log(`not sent to the editor: ${describeError(error)}`);
    }
  }

  /** Once each; an editor without notices leaves them in its log. */
  async #tellWords({ words }: OpenSession, sessionId: string, client: AgentContext): Promise<void> {
    for (const { title, description } of words.splice(0)) {
      this.#options.log(`${title}. ${description}`);
      if (!this.#abilities.notices) continue;
      await notify(client, sessionId, { sessionUpdate: 'notice', severity: 'info', title, description });
    }
  }
}
