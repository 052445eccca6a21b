import type { ArgumentRole, ToolAnnotation } from '@bulkhead/protocol';
import { type Identifier, identifierOf, normalUrl } from './identifiers.ts';
import { type ItemSearch, isMeant, isSoleItem, scoreOf, statesChoice, wasCompared } from './items.ts';
import type { Observation, ValueIndex } from './observation.ts';
import { closesType, isNamed, saysHost } from './request.ts';
import { normalOf, type StoredValue } from './values.ts';

/** Why a value may be where a call's effect goes. */
export interface Endorsement {
  readonly by: 'request' | 'own' | 'made-here' | 'item' | 'choice' | 'document' | 'link';
  readonly source?: StoredValue;
}

/** All that endorsement is judged from. Nothing of it is text that an outsider wrote, taken as an order. */
export interface Evidence extends ItemSearch {
  /** Each stands where its `index` says. */
  readonly observations: readonly Observation[];
  /** Types of values that were already looked up in a document, as `observation type`: a lookup is good for one value. */
  readonly lookups: ReadonlySet<string>;
  /** As `scores`, by the user's words alone. */
  readonly ownScores: Map<string, number>;
  /** Values that the user endorsed by hand. */
  readonly trusted: ReadonlySet<string>;
}

/**
 * Who stands for a value as target of a call: the user's words first, then what they point to. Free text never endorses
 * a recipient merely by having been read.
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

/** An item that the user's words mean; or a member of a list that only the service writes, picked by the user's rule. */
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
  // A document that the user took orders from may name things to act on, never somebody to send to.
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

/** Words by which a user says that an address of a type is to be found somewhere. */
const SOUGHT: Readonly<Record<string, RegExp>> = {
  email: /\b(?:e-?mail|address|contact)\b/iu,
  phone: /\b(?:phone|mobile|number|contact)\b/iu,
  handle: /\b(?:handle|user ?name|account)\b/iu,
};

/**
 * The only value of its type in a document that the user opened, where the user said that such a value is to be found.
 * Good once. Never for money: who writes the document would choose who is paid.
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
 * An address to fetch or write to. The user's own; for a fetch also one at a host that the user named, if the whole of it
 * was read there, or the only link of a text that the user pointed to. A link that carries what a tool gave is none.
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

/** Short enough to carry nothing worth hiding there: at most three plain words of a path. */
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
  // A free text points nowhere; a message does, that somebody known wrote in a place that the user named.
  if (values.every(({ as }) => as === 'text')) return undefined;
  const url = { type: 'url', normal } as const;
  const link = onlyOfType(evidence.index, values, url);
  if (link === undefined) return undefined;
  const ofAll = observation.pointed && onlyOfType(evidence.index, observation.values, url) !== undefined;
  return ofAll || isMeant(evidence, row, () => false) || isBestText(evidence, row) ? link : undefined;
}

/** Of the items that one call gave, the one whose text has by far the most of the user's words. */
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

/** An amount that the user said, or that follows from what the user said and what the items meant by it hold. */
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
