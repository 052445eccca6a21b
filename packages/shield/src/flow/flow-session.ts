import { type Sink, strictestOf, type ToolAnnotation, type ToolAnnotations } from '@bulkhead/protocol';
import { annotationOfCall } from '../annotations/annotation-of-call.ts';
import type { FlowPolicy } from '../annotations/flow-policy.ts';
import { labelOfBox } from './box-label.ts';
import {
  type ArgumentValue,
  argumentValues,
  type FlowCall,
  isConnected,
  isNetworked,
  staysInside,
} from './call.ts';
import { type Evidence, lookupKey } from './endorse.ts';
import type { FlowState } from './flow-state.ts';
import { allowedBy, type FlowVerdict } from './flow-verdict.ts';
import { identifierOf } from './identifiers.ts';
import { delegatedTexts, isAsked, judgeIntent } from './intent-rule.ts';
import { carriedBy, type FlowLabels, isSecret, keepLabels, keptLabel, labelOfReads } from './kept-labels.ts';
import { CLEAN, joinLabels, type Label } from './label.ts';
import { NeedleIndex, needlesIn } from './needles.ts';
import { GrowingIndex } from './observation.ts';
import { judgeOrigin } from './origin-rule.ts';
import { labelOfSource } from './read-label.ts';
import { isSaid, readRequest, type UserRequest } from './request.ts';
import { judgeSecrecy, sinkOf } from './secrecy-rule.ts';
import { judgeContent, judgeTargets } from './target-rule.ts';
import { isOpaque, isPush, SILENT, sourceName, unknownTool } from './tool-facts.ts';
import { hasExternal, normalOf, relabelled, type StoredValue, valuesOf } from './values.ts';
import { tellingWords, wordsOf } from './words.ts';

/** The rules; each can be applied alone. */
export type FlowRule = 'origin' | 'target' | 'content' | 'intent' | 'secrecy';

export const FLOW_RULES: readonly FlowRule[] = ['origin', 'target', 'content', 'intent', 'secrecy'];

/**
 * Flow state of one session: a fold over its log. Requires all events in order: user messages, each
 * call before it starts, each result before the model reads it. The same log gives the same
 * verdicts again, so a restart and compaction change nothing [F2].
 */
export interface FlowSession {
  /** Records the user's own words, typed here; never text inserted by a tool or another agent. */
  observeRequest(text: string): void;
  /** Judges a call. Changes nothing: a call may be judged again. */
  decide(call: FlowCall): FlowVerdict;
  /**
   * @param given the engine's label for the text instead of the annotation's: the final label of a
   * sub-agent
   * @returns the label stored with the data when it was read, for a replay: the stored label may
   * change later
   */
  observeResult(call: FlowCall, text: string, given?: Label): Label | undefined;
  /**
   * Returns the label for files that a command changes: everything the session has read, and the
   * command's own reads [F2].
   */
  labelOfWrites(call: FlowCall): Label;
  /** Endorses a value, such as a trusted payee. Call it only for a person's own act. */
  trust(value: string): void;
  /** Removes secrecy from everything read so far; trust stays. Only for a person's own act. */
  declassify(): void;
  /** The initial label of a sub-agent, and the label of its text when it ends. */
  readonly label: Label;
  readonly state: FlowState;
}

export interface FlowSessionParts {
  readonly policy: FlowPolicy;
  readonly tools: ToolAnnotations;
  readonly labels: FlowLabels;
  readonly rules: ReadonlySet<FlowRule>;
}

/** @param stored initial state; the session owns it from now on */
export function createFlowSession(parts: FlowSessionParts, stored: FlowState): FlowSession {
  return new Session(parts, stored);
}

class Session implements FlowSession {
  readonly #parts: FlowSessionParts;
  #state: FlowState;
  #request: UserRequest;
  readonly #index = new GrowingIndex();
  readonly #needles = new NeedleIndex();
  /** Valid while request and delegated documents stay the same. */
  #scores = new Map<string, number>();
  #ownScores = new Map<string, number>();
  #delegated: readonly string[] = [];
  #delegatedWords: readonly string[] = [];

  constructor(parts: FlowSessionParts, stored: FlowState) {
    this.#parts = parts;
    this.#state = stored;
    this.#request = readRequest(stored.requests);
    for (const { values } of stored.observations) this.#index.add(values);
    this.#needles.add(stored.needles);
    this.#readDelegated();
  }

  get label(): Label {
    return this.#state.label;
  }

  get state(): FlowState {
    return this.#state;
  }

  observeRequest(text: string): void {
    this.#state = { ...this.#state, requests: [...this.#state.requests, text] };
    this.#request = readRequest(this.#state.requests);
    this.#ownScores = new Map();
    this.#scores = new Map();
    this.#readDelegated();
  }

  /** A new result changes no earlier score, unless it is a document to follow. */
  #readDelegated(): void {
    const texts = delegatedTexts(this.#request, this.#state.observations);
    if (texts.length === this.#delegated.length && texts.every((text, at) => text === this.#delegated[at]))
      return;
    this.#delegated = texts;
    this.#delegatedWords = texts.flatMap(tellingWords);
    this.#scores = new Map();
  }

  decide(call: FlowCall): FlowVerdict {
    const verdict = this.#judge(call);
    if (this.#parts.policy.mode === 'enforce' || verdict.decision === 'allow') return verdict;
    return { ...verdict, decision: 'allow', audited: verdict.decision };
  }

  #judge(call: FlowCall): FlowVerdict {
    const tool = annotationOfCall(this.#parts.tools, call);
    if (tool === undefined) {
      const reason = `nothing says what the tool ${JSON.stringify(call.tool)} does with what it is given`;
      return { decision: 'escalate', rule: 'unknown-tool', reason, evidence: [] };
    }
    const values = argumentValues(call, tool);
    const sink = sinkOf(tool, call, values);
    const label = this.#labelOfInputs(call, tool);
    const secrecy = this.#has('secrecy') ? this.#judgeSecrecy(call, tool, sink, values, label) : undefined;
    const outside = sink !== 'none' || !staysInside(call, values);
    const judged = outside && label.trust === 'external' && !SILENT.has(tool.effect);
    const others = judged ? this.#judgeEffect(call, tool, values) : [];
    const origin = this.#has('origin') ? this.#judgeOrigin(tool, values, label) : undefined;
    return strictestOf([secrecy, ...others, origin]) ?? allowedBy(outside, label.trust);
  }

  /** A command can send what other sessions left in its private home. */
  #labelOfInputs(call: FlowCall, tool: ToolAnnotation): Label {
    return joinLabels(this.#state.label, labelOfBox(this.#parts.labels, tool, call) ?? CLEAN);
  }

  #judgeSecrecy(
    call: FlowCall,
    tool: ToolAnnotation,
    sink: Sink,
    values: readonly ArgumentValue[],
    label: Label,
  ): FlowVerdict | undefined {
    const carried = carriedBy(this.#parts, tool, call, values, isPush(tool, values));
    const opaque = isOpaque(call, tool, values);
    return judgeSecrecy(
      this.#parts.policy,
      { needles: this.#needles, label, request: this.#request, carried, opaque },
      sink,
      values,
    );
  }

  #judgeOrigin(
    tool: ToolAnnotation,
    values: readonly ArgumentValue[],
    label: Label,
  ): FlowVerdict | undefined {
    const asked = () => isAsked(this.#request, this.#delegated, tool);
    return judgeOrigin(this.#evidence(), tool, values, { label, asked });
  }

  #judgeEffect(
    call: FlowCall,
    tool: ToolAnnotation,
    values: readonly ArgumentValue[],
  ): readonly FlowVerdict[] {
    const evidence = this.#evidence();
    return [
      this.#has('target') ? judgeTargets(evidence, tool, values, call) : undefined,
      this.#has('content') ? judgeContent(evidence, tool, values) : undefined,
      this.#has('intent') ? judgeIntent(this.#request, this.#delegated, tool) : undefined,
    ].filter((verdict) => verdict !== undefined);
  }

  observeResult(call: FlowCall, text: string, given?: Label): Label | undefined {
    const tool = annotationOfCall(this.#parts.tools, call);
    const annotation = tool ?? unknownTool(call.tool);
    const values = argumentValues(call, annotation);
    const origin = { call: this.#state.observations.length, tool: call.tool };
    const plain = valuesOf(text, origin, annotation.result);
    const source = labelOfSource(this.#parts.policy, annotation, call, values, plain);
    const kept = keptLabel(this.#parts.labels, annotation, call, values);
    const isForeign =
      given?.trust === 'external' || source.trust === 'external' || isNetworked(call, annotation);
    const trust = isForeign
      ? 'external'
      : (given?.trust ?? source.trust ?? (hasExternal(plain) ? 'external' : 'workspace'));
    const label = joinLabels(kept ?? CLEAN, { secrecy: given?.secrecy ?? source.secrecy, trust });
    const stored = relabelled(plain, label, kept?.trust === 'external' || isForeign);
    this.#remember(call, annotation, values, stored, label, text);
    keepLabels(this.#parts.labels, annotation, call, values, this.#contentLabel(values));
    return kept;
  }

  #remember(
    call: FlowCall,
    tool: ToolAnnotation,
    values: readonly ArgumentValue[],
    stored: readonly StoredValue[],
    label: Label,
    text: string,
  ): void {
    const observation = {
      index: this.#state.observations.length,
      tool: call.tool,
      effect: tool.effect,
      arguments: values.map((value) => value.text),
      pointed: values.some((value) => value.role !== 'plain' && isSaid(this.#request, value.text)),
      values: [...stored],
    };
    const needles = isSecret(label.secrecy) ? needlesIn(text, label.secrecy, sourceName(call, values)) : [];
    this.#state = {
      ...this.#state,
      lookups: [...this.#state.lookups, ...this.#usedLookups(tool, values)],
      observations: [...this.#state.observations, observation],
      label: stored.length === 0 ? this.#state.label : joinLabels(this.#state.label, label),
      needles: [...this.#state.needles, ...needles],
    };
    this.#index.add(stored);
    this.#needles.add(needles);
    this.#readDelegated();
  }

  labelOfWrites(call: FlowCall): Label {
    const tool = annotationOfCall(this.#parts.tools, call) ?? unknownTool(call.tool);
    const reads = labelOfReads(this.#parts, tool, call, argumentValues(call, tool), isConnected(call));
    return joinLabels(this.#state.label, reads);
  }

  trust(value: string): void {
    this.#state = { ...this.#state, trusted: [...this.#state.trusted, normalOf(value)] };
  }

  declassify(): void {
    this.#needles.clear();
    this.#state = { ...this.#state, needles: [], label: { ...this.#state.label, secrecy: 'public' } };
  }

  #has(rule: FlowRule): boolean {
    return this.#parts.rules.has(rule);
  }

  #evidence(): Evidence {
    return {
      request: this.#request,
      index: this.#index,
      delegated: this.#delegatedWords,
      scores: this.#scores,
      ownScores: this.#ownScores,
      observations: this.#state.observations,
      lookups: new Set(this.#state.lookups),
      trusted: new Set(this.#state.trusted),
    };
  }

  /** Look-ups that this executed call has used. */
  #usedLookups(tool: ToolAnnotation, values: readonly ArgumentValue[]): readonly string[] {
    if (SILENT.has(tool.effect) || tool.effect === 'fetch') return [];
    return values.flatMap(({ role, text }) => {
      const identifier =
        role === 'recipient' && !isSaid(this.#request, text) ? identifierOf(text) : undefined;
      if (identifier === undefined) return [];
      const holders = this.#state.observations.filter(
        ({ pointed, values: held }) => pointed && held.some((value) => value.text.includes(text)),
      );
      return holders.map((observation) => lookupKey(observation, identifier));
    });
  }

  /**
   * Undefined if the call carries no content. The user's own words have the user's label; other
   * content may derive from data that was read.
   */
  #contentLabel(values: readonly ArgumentValue[]): Label | undefined {
    const content = values.filter(({ role }) => role === 'content' || role === 'code' || role === 'task');
    if (content.length === 0) return undefined;
    return content.every(({ text }) => isSaid(this.#request, text) || wordsOf(text).length === 0)
      ? CLEAN
      : this.#state.label;
  }
}
