import type { ArgumentRole, ToolAnnotation } from '@bulkhead/protocol';
import { type Identifier, identifierOf, normalUrl } from './identifiers.ts';
import { type ItemSearch, isMeant, isSoleItem, scoreOf, statesChoice, wasCompared } from './items.ts';
import type { Observation, ValueIndex } from './observation.ts';
import { closesType, isNamed, saysHost } from './request.ts';
import { normalOf, type StoredValue } from './values.ts';

/** The reason why a value is an acceptable target of a call. */
export interface Endorsement {
  readonly by: 'request' | 'own' | 'made-here' | 'item' | 'choice' | 'document' | 'link';
  readonly source?: StoredValue;
}

/** The input of endorsement. No outsider's text is used as an instruction. */
export interface Evidence extends ItemSearch {
  /** Each at the position given by its `index`. */
  readonly observations: readonly Observation[];
  /**
   * Completed look-ups of a type in a document, as `observation type`: each is valid for one value.
   */
  readonly lookups: ReadonlySet<string>;
  /** As `scores`, but by the user's words alone. */
  readonly ownScores: Map<string, number>;
  /** Values that the user endorsed explicitly. */
  readonly trusted: ReadonlySet<string>;
}

/**
 * Returns the endorsement of a value as target of a call: the user's words first, then data they
 * refer to. Reading a recipient in free text never endorses it.
 */
export function endorse(
  evidence: Evidence,
  text: string,
  role: ArgumentRole,
  tool: ToolAnnotation,
): Endorsement | undefined {
  const { request, trusted } = evidence;
  const normal = role === 'url' || role === 'host' ? normalUrl(text) : normalOf(text);
  if (trusted.has(normal) || isNamed(request, text)) return { by: 'request' };
  if (role === 'credential') return undefined;
  const sources = evidence.index.byNormal.get(normal) ?? [];
  const own = sources.find((source) => source.writer === 'user');
  if (own !== undefined) return { by: 'own', source: own };
  if (role === 'url' || role === 'host') return endorseAddress(evidence, text, tool);
  const made = role === 'object' ? sources.find((source) => isMadeHere(evidence, source)) : undefined;
  if (made !== undefined) return { by: 'made-here', source: made };
  return endorseItem(evidence, text, role, tool) ?? endorseLookup(evidence, text, tool);
}

function isMadeHere({ observations }: Evidence, source: StoredValue): boolean {
  const effect = observations[source.call]?.effect;
  return source.writer === 'service' && effect !== undefined && !['read', 'fetch'].includes(effect);
}

/**
 * An item that the user's words refer to, or a member of a list that only the service writes,
 * chosen by the user's rule.
 */
function endorseItem(
  evidence: Evidence,
  text: string,
  role: ArgumentRole,
  tool: ToolAnnotation,
): Endorsement | undefined {
  const normal = normalOf(text);
  const type = identifierOf(text.trim())?.type;
  if (role === 'recipient' && type !== undefined && closesType(evidence.request, tool, type))
    return undefined;
  const sources = evidence.index.byNormal.get(normal) ?? [];
  const identities = sources.filter(({ as }) => as === 'identity' || as === 'name');
  // A document that the user delegated to may name things to act on, but never a recipient.
  const search = role === 'object' ? evidence : { ...evidence, delegated: [], scores: evidence.ownScores };
  const meant = identities.find((source) => isMeant(search, source.row, (value) => value.normal === normal));
  if (meant !== undefined) return { by: 'item', source: meant };
  const listed = identities.find(({ writer }) => writer === 'service');
  if (listed === undefined) return undefined;
  if (role === 'object' && isSoleItem(evidence.observations, evidence.index, listed))
    return { by: 'item', source: listed };
  const chosen =
    statesChoice(evidence.request) && wasCompared(evidence.request, evidence.observations, normal);
  return chosen ? { by: 'choice', source: listed } : undefined;
}

/** Words by which a user asks to look up an address of a type. */
const SOUGHT: Readonly<Record<string, RegExp>> = {
  email: /\b(?:e-?mail|address|contact)\b/iu,
  phone: /\b(?:phone|mobile|number|contact)\b/iu,
  handle: /\b(?:handle|user ?name|account)\b/iu,
};

/**
 * The only value of its type in a document that the user opened, where the user asked to look up
 * such a value. Valid once. Never for money: the document's author would choose the payee.
 */
function endorseLookup(evidence: Evidence, text: string, tool: ToolAnnotation): Endorsement | undefined {
  const { request, observations, lookups } = evidence;
  const identifier = identifierOf(text.trim());
  if (identifier === undefined || tool.effect === 'pay') return undefined;
  if (SOUGHT[identifier.type]?.test(request.orders) !== true || closesType(request, tool, identifier.type))
    return undefined;
  for (const call of new Set(evidence.index.holding(identifier).map((value) => value.call))) {
    const observation = observations[call];
    if (observation?.pointed !== true || lookups.has(lookupKey(observation, identifier))) continue;
    const source = onlyOfType(evidence.index, observation.values, identifier);
    if (source !== undefined) return { by: 'document', source };
  }
  return undefined;
}

export function lookupKey({ index }: Pick<Observation, 'index'>, { type }: Pick<Identifier, 'type'>): string {
  return `${index} ${type}`;
}

function onlyOfType(
  index: ValueIndex,
  values: readonly StoredValue[],
  { type, normal }: Pick<Identifier, 'type' | 'normal'>,
): StoredValue | undefined {
  const held = values.flatMap((value) =>
    index
      .identifiersOf(value)
      .flatMap((each) => (each.type === type ? [{ value, normal: each.normal }] : [])),
  );
  return held.every((each) => each.normal === normal) ? held[0]?.value : undefined;
}

/**
 * An address to fetch or write to. Accepts the user's own; for a fetch also one at a host that the
 * user named, if it was read there as a whole, or the only link of a text that the user referred
 * to. Rejects a link that carries a tool's result.
 */
function endorseAddress(evidence: Evidence, text: string, tool: ToolAnnotation): Endorsement | undefined {
  if (tool.effect !== 'fetch') return undefined;
  const normal = normalUrl(text);
  for (const [row, call] of new Map(
    evidence.index.holding({ type: 'url', normal }).map((value) => [value.row, value.call]),
  )) {
    const source = linkIn(evidence, evidence.observations[call], row, normal);
    if (source !== undefined) return { by: 'link', source };
  }
  return saysHost(evidence.request, text) && !/[?#]/u.test(normal) && isShort(normal)
    ? { by: 'request' }
    : undefined;
}

/** Too short to carry hidden data: at most three plain words of a path. */
function isShort(normal: string): boolean {
  return /^[^/]+(?:\/[a-z]{1,20}){0,3}$/u.test(normal);
}

function linkIn(
  evidence: Evidence,
  observation: Observation | undefined,
  row: string,
  normal: string,
): StoredValue | undefined {
  if (observation === undefined) return undefined;
  const values = evidence.index.byRow.get(row) ?? [];
  // Free text gives no pointer; a message does, if a known person wrote it in a place that the user
  // named.
  if (values.every(({ as }) => as === 'text')) return undefined;
  const url = { type: 'url', normal } as const;
  const link = onlyOfType(evidence.index, values, url);
  if (link === undefined) return undefined;
  const ofAll = observation.pointed && onlyOfType(evidence.index, observation.values, url) !== undefined;
  return ofAll || isMeant(evidence, row, () => false) || isBestText(evidence, row) ? link : undefined;
}

/** True for the item of one call whose text has by far the most of the user's words. */
function isBestText(evidence: Evidence, row: string): boolean {
  const { index } = evidence;
  const [first] = index.byRow.get(row) ?? [];
  const rows = new Set(evidence.observations[first?.call ?? -1]?.values.map((value) => value.row));
  const scores = [...rows].map((rival) => ({ rival, score: textScore(evidence, rival) }));
  const own = scores.find(({ rival }) => rival === row)?.score ?? 0;
  return own >= 2 && scores.every(({ rival, score }) => rival === row || score < own);
}

function textScore({ request, index }: Evidence, row: string): number {
  const words = new Set(
    (index.byRow.get(row) ?? []).filter(({ as }) => as === 'text').flatMap((value) => index.wordsOf(value)),
  );
  return new Set(request.telling.filter((word) => words.has(word))).size;
}

/**
 * An amount that the user stated, or that follows from the user's words and the items they refer
 * to.
 */
export function endorseAmount(evidence: Evidence, amount: number): boolean {
  const { request, index } = evidence;
  const items: number[] = [];
  for (const [row, values] of index.byRow) {
    if (scoreOf(evidence, row) < 0.5) continue;
    items.push(
      ...values.filter(({ text }) => /^-?\d+(?:\.\d+)?$/u.test(text)).map(({ text }) => Number(text)),
    );
  }
  const base = [...new Set([...request.numbers, ...items])].slice(0, 60);
  if (base.some((one) => isSame(one, amount))) return true;
  const percents = [...request.orders.matchAll(/(\d+(?:\.\d+)?)\s*(?:%|percent\b)/gu)].map(
    (match) => Number(match[1]) / 100,
  );
  return base.some(
    (one) =>
      base.some((two) => isSame(one + two, amount) || isSame(one - two, amount)) ||
      percents.some((part) => [part, 1 + part, 1 - part].some((factor) => isSame(one * factor, amount))),
  );
}

function isSame(a: number, b: number): boolean {
  return Math.abs(a - b) < 0.005;
}
