import type { SessionUpdate, ToolCallContent, ToolCallStatus } from '@agentclientprotocol/sdk';
import type { Clock, EffectCounts, SessionEvent } from '@bulkhead/protocol';
import { inlineCode } from '../content/markdown.ts';
import { changedPlaces } from '../content/unified-diff.ts';
import { type ToolCard, textContent, toolCard, wordsContent } from './tool-card.ts';

/** Largest partial output shown to an editor, characters: its end. */
const TAIL = 8_000;
/**
 * Pause between two updates with partial output, milliseconds: each contains the whole shown text.
 */
const PACE_MS = 200;

/** A started call. */
export interface RunningCall extends ToolCard {
  /** Its id for the editor, because ids from models may repeat. */
  readonly id: string;
  readonly tool: string;
  readonly arguments: unknown;
}

interface OpenCall extends RunningCall {
  /** The shield's objection. */
  refusal: string;
  output: string;
  toldAt: number;
  effects: EffectCounts | undefined;
}

/** Tool calls as an editor's cards. */
export class ToolUpdates {
  readonly #folder: string;
  readonly #clock: Pick<Clock, 'monotonic'>;
  readonly #calls = new Map<string, OpenCall>();
  /** Maps an action to its call. */
  readonly #actions = new Map<string, OpenCall>();

  /** @param folder the session's working folder */
  constructor(folder: string, clock: Pick<Clock, 'monotonic'>) {
    this.#folder = folder;
    this.#clock = clock;
  }

  /** The call an action belongs to; undefined for an unknown one. */
  callOf(action: string): RunningCall | undefined {
    return this.#actions.get(action);
  }

  take(event: SessionEvent): SessionUpdate[] {
    switch (event.type) {
      case 'tool_call':
        return this.#begin(event);
      case 'action_started': {
        const call = this.#calls.get(event.call);
        if (call !== undefined) this.#actions.set(event.action, call);
        return [];
      }
      case 'shield_verdict':
        return this.#judged(event);
      case 'approval_decided':
        return this.#decided(event);
      case 'action_completed':
        return this.#completed(event);
      case 'tool_delta':
        return this.#partial(event.call, event.text);
      case 'tool_output':
        return this.#end(event);
      default:
        return [];
    }
  }

  #begin(event: Extract<SessionEvent, { type: 'tool_call' }>): SessionUpdate[] {
    const { tool, seq, arguments: args } = event;
    const card = toolCard(tool, args, this.#folder);
    const id = `${seq}:${event.call}`;
    this.#calls.set(event.call, {
      ...card,
      id,
      tool,
      arguments: args,
      refusal: '',
      output: '',
      toldAt: Number.NEGATIVE_INFINITY,
      effects: undefined,
    });
    return [
      { sessionUpdate: 'tool_call', toolCallId: id, status: 'pending', name: tool, rawInput: args, ...card },
    ];
  }

  #judged({ action, decision, rule, reason }: Extract<SessionEvent, { type: 'shield_verdict' }>) {
    const call = this.#actions.get(action);
    if (call === undefined) return [];
    if (decision === 'block') call.refusal = `blocked by ${inlineCode(rule)}: ${inlineCode(reason, 400)}`;
    return decision === 'allow' ? [update(call, 'in_progress')] : [];
  }

  #decided({ action, decision, by }: Extract<SessionEvent, { type: 'approval_decided' }>): SessionUpdate[] {
    const call = this.#actions.get(action);
    if (call === undefined) return [];
    if (decision === 'allow') return [update(call, 'in_progress')];
    call.refusal = `not approved: ${WHO[by]}`;
    return [];
  }

  #completed({ action, effects }: Extract<SessionEvent, { type: 'action_completed' }>): SessionUpdate[] {
    const call = this.#actions.get(action);
    if (call !== undefined) call.effects = effects;
    this.#actions.delete(action);
    return [];
  }

  #partial(name: string, text: string): SessionUpdate[] {
    const call = this.#calls.get(name);
    if (call === undefined) return [];
    call.output = `${call.output}${text}`.slice(-TAIL);
    const now = this.#clock.monotonic();
    if (now - call.toldAt < PACE_MS) return [];
    call.toldAt = now;
    return [update(call, 'in_progress', textContent(call.output))];
  }

  #end(event: Extract<SessionEvent, { type: 'tool_output' }>): SessionUpdate[] {
    const call = this.#calls.get(event.call);
    if (call === undefined) return [];
    this.#calls.delete(event.call);
    const places = event.isError ? undefined : changedPlaces(event.display ?? '', this.#folder);
    const content = [
      ...(call.refusal === '' ? [] : [wordsContent(call.refusal)]),
      ...(places ?? []).map(
        ({ path, oldText, newText }): ToolCallContent => ({ type: 'diff', path, oldText, newText }),
      ),
      ...effectsContent(call.effects),
      ...textContent(event.text),
    ];
    const changed = (places ?? []).map(({ path, line }) => ({ path, line }));
    const ended = update(call, event.isError ? 'failed' : 'completed', content);
    return [changed.length === 0 ? ended : { ...ended, locations: changed }];
  }
}

function update(call: RunningCall, status: ToolCallStatus, content?: ToolCallContent[]) {
  const head = { sessionUpdate: 'tool_call_update', toolCallId: call.id, status } as const;
  return content === undefined ? head : { ...head, content };
}

function effectsContent(effects: EffectCounts | undefined): ToolCallContent[] {
  if (effects === undefined) return [];
  const { kept, created, changed, deleted } = effects;
  if (created + changed + deleted === 0) return [];
  const counts = `${created} created, ${changed} changed, ${deleted} deleted`;
  return [wordsContent(kept ? `files: ${counts}` : `files: ${counts}; none of it kept`)];
}

const WHO: Readonly<Record<Extract<SessionEvent, { type: 'approval_decided' }>['by'], string>> = {
  person: 'you denied it',
  run_option: 'an option of the run',
  grant: 'a decision of this session',
  limit: 'too many approvals: no new ones for a minute',
  timeout: 'no answer in time',
  nobody: 'this mode denies actions that need approval',
  cancel: 'the run was cancelled',
  restart: 'the engine stopped first and asks again',
};
