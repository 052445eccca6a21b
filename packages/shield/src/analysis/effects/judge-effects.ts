import type { Effect } from './effect.ts';
import type { Finding } from './finding.ts';
import { hasLabel } from './labels.ts';
import type { Overlay } from './place.ts';
import { type AnalysisPreset, EFFECT_RULES, type EffectRule } from './rule-table.ts';

/**
 * The box of a command: none; one with a home of its own and a way out to some hosts; or one whose
 * network has no other machine.
 */
export type Walls = 'none' | 'way out' | 'no way out';

/**
 * Returns findings for effects: each matching row, once for each rule and object, blocks first.
 *
 * @param request the user's own words; they release questions whose row lists matching words, and
 * turn a refusal into a question; never a block
 * @param walls of the box in which a command would run
 */
export function judgeEffects(
  effects: readonly Effect[],
  preset: AnalysisPreset,
  request: string | undefined,
  walls: Walls = 'none',
): readonly Finding[] {
  const findings = new Map<string, Finding>();
  for (const effect of effects) {
    const rules = EFFECT_RULES.get(effect.verb);
    const ordinary = effect.place === undefined || effect.place.overlays.length === 0;
    for (const row of (ordinary ? rules?.anywhere : rules?.all) ?? []) {
      if (isStopped(row, walls) || !fits(row, effect)) continue;
      const decided = decisionOf(row, preset, effect, request);
      if (decided === undefined) continue;
      const finding = { ...decided, rule: row.rule, reason: row.says.replaceAll('{}', () => effect.object) };
      findings.set(`${decided.decision} ${row.rule} ${effect.object}`, finding);
    }
  }
  const all = [...findings.values()];
  return [
    ...all.filter(({ decision }) => decision === 'block'),
    ...all.filter(({ decision }) => decision === 'escalate'),
  ];
}

/**
 * The user's words lower their effect's level by one; a block stays. Undefined for allowed effects.
 */
function decisionOf(
  { levels, asked }: EffectRule,
  preset: AnalysisPreset,
  effect: Effect,
  request: string | undefined,
): Pick<Finding, 'decision' | 'ownYes'> | undefined {
  const level = levels[preset];
  if (level === 'allow') return undefined;
  if (level === 'block') return { decision: level };
  // Words turn a refusal into a question that only a person can answer.
  if (level === 'refuse')
    return speaksOf(request, asked, effect) ? { decision: 'escalate', ownYes: true } : { decision: 'block' };
  return asksFor(request, asked, effect) ? undefined : { decision: level };
}

/** True for an effect that the box itself prevents. */
function isStopped(row: EffectRule, walls: Walls): boolean {
  return (row.unboxed && walls !== 'none') || (row.connected && walls === 'no way out');
}

function fits(row: EffectRule, { kind = '', place, labels }: Effect): boolean {
  if (row.kinds?.includes(kind) === false || row.notKinds?.includes(kind) === true) return false;
  if (row.labels !== undefined && !hasLabel(labels, ...row.labels)) return false;
  if (row.zones !== undefined && !row.zones.includes(place?.zone ?? '')) return false;
  if (
    row.notOverlays !== undefined &&
    place?.overlays.some((each) => row.notOverlays?.includes(each)) === true
  )
    return false;
  if (row.wide && place?.wide !== true) return false;
  return (
    row.overlays === undefined ||
    row.overlays.some((overlay) => place?.overlays.some((each) => each === overlay))
  );
}

/** Places for which the user's words can decide; all others need a person's confirmation. */
const RELEASED: ReadonlySet<Overlay> = new Set([
  'commands',
  'caches',
  'private',
  'devices',
  'logs',
  'history',
]);
const MAX_REQUEST = 4000;

/**
 * True if the user's own words ask for an effect: they contain a word that asks for this kind, and
 * the effect has no aspect that the user would not expect.
 *
 * @param beginnings of words; an empty list releases nothing
 */
function asksFor(request: string | undefined, beginnings: readonly string[], effect: Effect): boolean {
  if (effect.place?.overlays.some((overlay) => !RELEASED.has(overlay)) === true) return false;
  return speaksOf(request, beginnings, effect);
}

/** The same for any place, for effects that need a person's confirmation anyway. */
function speaksOf(
  request: string | undefined,
  beginnings: readonly string[],
  { verb, place, object }: Effect,
): boolean {
  if (request === undefined || beginnings.length === 0) return false;
  if (verb === 'delete' && place?.zone === 'root' && /\*[^/]*$/.test(object)) return false;
  if (verb === 'administer' && object.includes('…')) return false;
  return orderedIn(request.slice(0, MAX_REQUEST)).some((text) =>
    beginnings.some((beginning) => text.includes(` ${beginning}`)),
  );
}

/** Text after one of these words in a sentence is not requested. */
const REFUSING =
  / (?:don t|dont|do not|does not|never|not to|must not|should not|may not|can t|cannot|without|avoid|instead of|rather than|nicht|kein|keine|keinen|ohne|nie|ne pas|sans|jamais|sin|nunca)(?= (?!forget|hesitate|worry))/u;

/** These take back an earlier message, even without naming what. */
const TAKING_BACK =
  / (?:no|nope|stop|wait|halt|cancel|undo|hold on|rather|instead|nein|stopp|warte|non|arrête|basta|alto) /u;

/**
 * The words of a person that hold now: a later message that refuses something takes back all that
 * earlier ones asked for. A question more is better than a release that was withdrawn.
 *
 * @param messages of a run, oldest first
 */
export function standingWords(messages: readonly string[]): string {
  const from = messages.findLastIndex(
    (message, index) =>
      index > 0 && sentencesOf(message).some((words) => REFUSING.test(words) || TAKING_BACK.test(words)),
  );
  return messages.slice(Math.max(from, 0)).toReversed().join('\n');
}

/** Returns each sentence as words between blanks, up to the part that forbids something. */
function orderedIn(request: string): readonly string[] {
  return sentencesOf(request).map((words) => words.slice(0, REFUSING.exec(words)?.index));
}

function sentencesOf(text: string): readonly string[] {
  return text
    .toLowerCase()
    .split(/[!?;\n]|\.(?=\s|$)/u)
    .map((sentence) => ` ${sentence.replaceAll(/[^\p{L}\p{N}]+/gu, ' ').trim()} `);
}
