import type { Verb } from './effect.ts';
import { EFFECT_TABLE, REQUEST_WORDS } from './effect-table.ts';
import { LABEL_NAMES, type LabelName } from './labels.ts';

/** How often a person is asked; `default` is the shipped balance. */
export type AnalysisPreset = 'permissive' | 'default' | 'strict';

/**
 * A rule's decision under a preset. `refuse` blocks, but asks where the user's own words ask for
 * it.
 */
type Level = 'allow' | 'escalate' | 'refuse' | 'block';

/** One row: the effects it matches, its level under each preset, and its message. */
export interface EffectRule {
  readonly rule: string;
  /** At least one, if given; the names are those of the effect's own fields. */
  readonly kinds: readonly string[] | undefined;
  /** None of these. */
  readonly notKinds: readonly string[] | undefined;
  readonly zones: readonly string[] | undefined;
  readonly overlays: readonly string[] | undefined;
  readonly labels: readonly LabelName[] | undefined;
  /** None of these. */
  readonly notOverlays: readonly string[] | undefined;
  readonly wide: boolean;
  /** Not for a command in a box, whose home is the box's own and whose system is read-only. */
  readonly unboxed: boolean;
  /** True if it counts only for a command that can reach another machine. */
  readonly connected: boolean;
  readonly levels: Readonly<Record<AnalysisPreset, Level>>;
  /** Beginnings of user words that ask for it; none: no words release it. */
  readonly asked: readonly string[];
  /** The rest of a sentence that begins with the command; `{}` stands for the object. */
  readonly says: string;
}

const VERBS: readonly Verb[] = [
  'read',
  'write',
  'delete',
  'change',
  'search',
  'execute',
  'evaluate',
  'compute',
  'fetch',
  'send',
  'connect',
  'listen',
  'administer',
  'disclose',
];

/** The table's rows about one verb, in order. */
interface VerbRules {
  readonly all: readonly EffectRule[];
  /** Rows without an overlay condition: for effects on places without an overlay. */
  readonly anywhere: readonly EffectRule[];
}

/** Rows of the table, by verb. */
export const EFFECT_RULES: ReadonlyMap<Verb, VerbRules> = readTable();

function readTable(): ReadonlyMap<Verb, VerbRules> {
  const table = new Map<Verb, EffectRule[]>();
  for (const line of EFFECT_TABLE.split('\n')) {
    if (line === '' || line.startsWith('#')) continue;
    const [rule = '', verbs = '', conditions = '', levels = '', asked = '', says] = line.split(' | ');
    if (says === undefined) throw new Error(`the table of effects has an incomplete row: ${line}`);
    const row = ruleOf(rule, conditions, levels, asked, says);
    for (const name of verbs.split(' ')) {
      const verb = VERBS.find((known) => known === name);
      if (verb === undefined) throw new Error(`the table of effects has an unknown verb: ${name}`);
      table.set(verb, [...(table.get(verb) ?? []), row]);
    }
  }
  return new Map(
    [...table].map(([verb, all]) => [
      verb,
      { all, anywhere: all.filter(({ overlays }) => overlays === undefined) },
    ]),
  );
}

function ruleOf(rule: string, conditions: string, levels: string, asked: string, says: string): EffectRule {
  const list = (name: string) => new RegExp(`(?:^| )${name}=(\\S+)`).exec(conditions)?.[1]?.split(',');
  const hasWord = (name: string) => conditions.split(' ').includes(name);
  const [permissive, standard, strict] = levels.split(' ').map(levelOf);
  if (permissive === undefined || standard === undefined || strict === undefined) {
    throw new Error(`the table of effects lacks a preset: ${rule}`);
  }
  return {
    rule,
    kinds: list('kind'),
    notKinds: list('kind!'),
    zones: list('zone'),
    overlays: list('overlay'),
    labels: list('label')?.map(labelOf),
    notOverlays: list('overlay!'),
    wide: hasWord('wide'),
    unboxed: hasWord('unboxed'),
    connected: hasWord('connected'),
    levels: { permissive, default: standard, strict },
    asked: asked === '-' ? [] : asked.split(' ').flatMap(wordsOf),
    says,
  };
}

function levelOf(name: string): Level {
  if (name === '-') return 'allow';
  if (name === 'ask') return 'escalate';
  if (name === 'refuse' || name === 'block') return name;
  throw new Error(`the table of effects has an unknown level: ${name}`);
}

function labelOf(name: string): LabelName {
  for (const label of LABEL_NAMES) if (label === name) return label;
  throw new Error(`the table of effects has an unknown label: ${name}`);
}

function wordsOf(name: string): readonly string[] {
  const words = Object.hasOwn(REQUEST_WORDS, name) ? REQUEST_WORDS[name] : undefined;
  return (words ?? name).split(' ').map((word) => word.replaceAll('_', ' '));
}
