import type { Finding } from '../effects/finding.ts';
import { decodedRuns } from './decode-text.ts';
import { invisibleIn, visible } from './invisible.ts';
import type { ArgumentContext, JudgedCall } from './judged-call.ts';
import { type NamedEffects, namedEffects } from './named-effects.ts';
import { quoted } from './quoted.ts';
import { type ArgumentRule, findingOf } from './rules.ts';

const MAX_TEXT = 20_000;

type Hit = readonly [rule: ArgumentRule, what: string];

/**
 * Judges a text that an agent will follow later: a task, a message to a sub-agent, a memory, a
 * schedule. Delegation doesn't change an effect: whatever is refused directly is refused here.
 */
export function judgeInstructions(text: string, context: ArgumentContext): readonly Finding[] {
  const { preset } = context.options;
  const hits = [...hiddenHits(text)];
  const spoken = visible(text);
  hits.push(...effectHits(namedEffects(spoken.slice(0, MAX_TEXT), context.call)));
  for (const run of decodedRuns(spoken)) {
    const inner = effectHits(namedEffects(run.text, context.call));
    if (inner.length > 0) hits.push(['hidden-text', `has an instruction in ${run.encoding}`], ...inner);
  }
  if (text.length > MAX_TEXT)
    hits.push(['not-judged', `passes on ${text.length} characters of instructions`]);
  return hits.flatMap(([rule, what]) => findingOf(rule, preset, what));
}

/** True if a text, taken as an instruction, would be blocked under the default preset. */
export function namesHarm(text: string, call: JudgedCall): boolean {
  const hits = effectHits(namedEffects(text.slice(0, MAX_TEXT), call));
  return hits.some(([rule, what]) =>
    findingOf(rule, 'default', what).some(({ decision }) => decision === 'block'),
  );
}

function hiddenHits(text: string): readonly Hit[] {
  const invisible = invisibleIn(text);
  if (invisible === undefined) return [];
  const what = `has invisible characters (${invisible.shown})`;
  return [[invisible.deceives ? 'hidden-text' : 'invisible-characters', what]];
}

function effectHits(effects: NamedEffects): readonly Hit[] {
  return [...secretHits(effects), ...guardHits(effects), ...placeHits(effects), ...otherHits(effects)];
}

function secretHits(effects: NamedEffects): readonly Hit[] {
  const { credentials } = effects;
  if (credentials === undefined) return [];
  const named = quoted(credentials);
  const taken = (['read', 'send', 'write'] as const).some((verb) => effects.pairs(verb, 'credentials'));
  if (effects.places.credentials !== undefined && (taken || effects.does('read') || effects.does('send'))) {
    return [['credentials-asked-for', `tells an agent to take credentials: ${named}`]];
  }
  if (effects.pairs('send', 'credentials') || effects.pairs('read', 'credentials')) {
    return [['credentials-asked-for', `tells an agent to take credentials: ${named}`]];
  }
  return effects.places.credentials === undefined ? [] : [['credentials-mentioned', `speaks of ${named}`]];
}

function guardHits(effects: NamedEffects): readonly Hit[] {
  const hits: Hit[] = [];
  const weakened =
    effects.pairs('disable', 'safeguard') ||
    effects.pairs('delete', 'safeguard') ||
    effects.pairs('disable', 'instructions');
  const waved =
    effects.pairs('allow', 'standing') && (effects.speaksOf('all') || effects.speaksOf('safeguard'));
  if (weakened || waved) hits.push(['safeguard-weakened', 'tells an agent to weaken what guards it']);
  if (effects.behindBack) hits.push(['hidden-from-user', 'tells an agent to act behind the user’s back']);
  if (effects.attack !== undefined) hits.push(['attack-named', `names an attack: ${quoted(effects.attack)}`]);
  return hits;
}

function placeHits(effects: NamedEffects): readonly Hit[] {
  const { places } = effects;
  const hits: Hit[] = [];
  const changes = effects.does('write') || effects.does('delete');
  if (places.own !== undefined)
    hits.push(['own-files', `speaks of Bulkhead's own files: ${quoted(places.own)}`]);
  if (places.identity !== undefined && changes) {
    hits.push(['identity-rewritten', `tells an agent to change who it is: ${quoted(places.identity)}`]);
  }
  const deleted = places.top ?? places.outside;
  if (effects.does('delete') && deleted !== undefined) {
    const private_ = places.sensitive !== undefined || places.top !== undefined;
    hits.push([
      private_ ? 'destroys-later' : 'deletes-later',
      `tells an agent to delete in ${quoted(places.sensitive ?? deleted)}`,
    ]);
  }
  if (places.startUp !== undefined && changes) {
    hits.push(['persists-later', `tells an agent to change what is obeyed later: ${quoted(places.startUp)}`]);
  } else if (places.sensitive !== undefined) {
    hits.push(['sensitive-place-later', `sends an agent to ${quoted(places.sensitive)}`]);
  }
  return hits;
}

function otherHits(effects: NamedEffects): readonly Hit[] {
  const hits: Hit[] = [];
  const leaves = effects.pairs('send', 'private') || effects.pairs('send', 'data') || effects.away;
  if (effects.does('send') && leaves) {
    const carried = effects.pairs('send', 'private') || effects.pairs('send', 'data');
    hits.push(
      carried && effects.anywhere
        ? ['data-sent-anywhere', 'tells an agent to send data to an unnamed recipient outside']
        : ['data-sent-later', 'tells an agent to send data'],
    );
  }
  if (effects.pairs('delete', 'store'))
    hits.push(['deletes-later', 'tells an agent to delete what data is kept in']);
  return hits;
}
