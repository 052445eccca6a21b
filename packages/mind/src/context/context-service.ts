import { CONFIGURED } from '@bulkhead/log/session/accepted-input';
import { lastRequest } from '@bulkhead/log/session/last-request';
import { type RunView, runView } from '@bulkhead/log/session/run-view';
import type { SessionLog } from '@bulkhead/log/session/session-log';
import { groupList, LoadedTools } from '@bulkhead/log/session/tool-loading';
import { type TokenCounter, VOCABULARY } from '@bulkhead/models';
import type { ModelSource } from '@bulkhead/processes/models/model-source';
import { isOf } from '@bulkhead/protocol/records';
import type { SessionInfo } from '@bulkhead/sessions';
import type { ToolRegistry } from '@bulkhead/tools';
import type { SkillSource } from '../skills/skill-source.ts';
import type { Mind } from './mind.ts';
import { type RequestSection, requestSections } from './request-sections.ts';

/** How many records back the last call of a model is looked for. */
const RECENT = 512;
/** As for a run: at 3 bytes a token, a low estimate. */
const BYTES_PER_TOKEN = 3;

/** The provider's counts of a session's last call. */
export interface LastCall {
  readonly model: string;
  readonly inputTokens: number;
  readonly cachedTokens: number;
  readonly cacheWriteTokens: number;
  readonly outputTokens: number;
  readonly estimated: boolean;
}

export interface ContextReport {
  readonly model: string;
  readonly contextWindow: number;
  readonly sections: readonly (Pick<RequestSection, 'part' | 'name'> & { readonly tokens: number })[];
  /** Undefined before the first call. */
  readonly lastCall: LastCall | undefined;
  readonly vocabulary: string;
}

/** Tells people what a model request is made of and what it costs [C7]. */
export class ContextService {
  readonly #parts: ContextServiceParts;

  constructor(parts: ContextServiceParts) {
    this.#parts = parts;
  }

  /**
   * The next request of a session as it stands, with the turn part of its last run; without one, the first of a new session.
   *
   * @param place session id, or else a folder to work in
   * @throws BulkheadError `not_found`, `store_corrupt` for the session; what keeps a model from being asked
   */
  async read(
    place: { readonly sessionId: string } | { readonly workingFolder: string },
    signal: AbortSignal,
  ): Promise<ContextReport> {
    const { mind, models, tools, counter, initialGroups } = this.#parts;
    const session = 'sessionId' in place ? this.#parts.sessions.session(place.sessionId) : undefined;
    const last = session === undefined ? undefined : lastRequest(this.#parts.log, session.id);
    const model = models.client(last?.choice ?? CONFIGURED);
    const view =
      session === undefined ? undefined : this.#view(session.id, session.leaf, model.contextWindow);
    const folder = session?.workingFolder ?? ('workingFolder' in place ? place.workingFolder : '');
    const told = await mind.tell({
      sessionId: session?.id ?? NO_SESSION,
      workingFolder: folder,
      offTheRecord: session?.offTheRecord ?? false,
      message: '',
      shownIn: last?.shownIn,
      origin: last?.origin,
    });
    const loaded = new LoadedTools(tools, [...initialGroups, ...(view?.groups ?? [])]);
    const turn = session === undefined ? undefined : mind.lastTurn?.(session.id);
    const history = view?.history ?? [];
    const skills = await this.#parts.skills.forRun(session?.id ?? NO_SESSION, '', folder);
    const prompt = { ...told.prompt, skills: skills.facts.skills, knowledge: skills.facts.knowledge };
    const sections = requestSections(
      { prompt, turn: turn ?? told.turn },
      {
        groups: groupList(tools),
        tools: loaded.definitions,
        history,
        skills: session === undefined ? [] : await skills.missingFrom(history),
        contextWindow: model.contextWindow,
      },
    );
    const counts = await counter.count(
      sections.map(({ text }) => text),
      signal,
    );
    return {
      model: model.name,
      contextWindow: model.contextWindow,
      sections: sections.map(({ part, name }, at) => ({ part, name, tokens: counts[at] ?? 0 })),
      lastCall: session === undefined ? undefined : this.#lastCall(session.id),
      vocabulary: VOCABULARY,
    };
  }

  #view(sessionId: string, leaf: string | null, contextWindow: number): RunView {
    const { entries } = this.#parts.log.store.recentBranch(sessionId, leaf, contextWindow * BYTES_PER_TOKEN);
    return runView(entries, '');
  }

  #lastCall(sessionId: string): LastCall | undefined {
    const { store } = this.#parts.log;
    const records = store.records(sessionId, { pos: Math.max(0, store.lastPos(sessionId) - RECENT) }, RECENT);
    const call = records.filter(isOf('model_call')).findLast(({ body }) => body.purpose === 'chat')?.body;
    if (call === undefined) return undefined;
    const count = (tokens = 0): number => Math.max(0, Math.trunc(tokens) || 0);
    return {
      model: call.model,
      inputTokens: count(call.inputTokens),
      cachedTokens: count(call.cachedInputTokens),
      cacheWriteTokens: count(call.cacheWriteTokens),
      outputTokens: count(call.outputTokens),
      estimated: call.estimated,
    };
  }
}

/** As long as a session's id is. */
const NO_SESSION = '00000000000000000000000000';

export interface ContextServiceParts {
  readonly mind: Mind;
  readonly models: Pick<ModelSource, 'client'>;
  readonly tools: ToolRegistry;
  readonly counter: TokenCounter;
  readonly sessions: { session(id: string): SessionInfo };
  readonly log: SessionLog;
  readonly skills: Pick<SkillSource, 'forRun'>;
  /** Tool groups a session has from its start. */
  readonly initialGroups: readonly string[];
}
