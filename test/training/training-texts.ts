import { FIRMS } from './firm-templates.ts';
import { INSTRUCTING } from './instructing-templates.ts';
import { NEAR } from './near-templates.ts';
import { ORDERS } from './order-templates.ts';
import { ORDINARY } from './ordinary-templates.ts';
import { pick, seededRandom } from './random.ts';
import type { TemplateGroup } from './template-group.ts';
import { wordsFor } from './vocabulary.ts';

/** A text with its class. */
export interface LabelledText {
  readonly text: string;
  readonly instructs: boolean;
  readonly group: string;
}

const SEED = 20_261;
const PER_TEMPLATE = 28;
const CHOICE = /\(([^()]*\|[^()]*)\)(\??)|\(([^()|]*)\)\?/;
/** How often an instruction is surrounded by ordinary text, as in a page or a mail. */
const AMONG = 0.6;

/** Training texts, or held-back ones; always the same. No template group is in both. */
export function trainingTexts(which: 'learned' | 'held-out'): readonly LabelledText[] {
  const random = seededRandom(which === 'learned' ? SEED : SEED + 1);
  const wanted = (group: TemplateGroup) => group.heldOut === (which === 'held-out');
  const ordinary = [...ORDINARY, ...NEAR, ...FIRMS].filter(wanted);
  const instructing = [...INSTRUCTING, ...ORDERS].filter(wanted);
  return [...instructing, ...ordinary].flatMap((group) =>
    group.templates.flatMap((template) =>
      Array.from({ length: PER_TEMPLATE }, () => ({
        text: among(expand(template, random), ordinary, random),
        instructs: group.instructs,
        group: group.name,
      })),
    ),
  );
}

/** With ordinary text before, after, both or neither. */
function among(text: string, around: readonly TemplateGroup[], random: () => number): string {
  if (random() > AMONG) return text;
  const beside = () => expand(pick(pick(around, random).templates, random), random);
  const glue = pick([' ', '\n', '\n\n'], random);
  const before = random() < 0.6 ? [beside()] : [];
  const after = random() < 0.6 ? [beside()] : [];
  return [...before, text, ...after].join(glue);
}

/** A template with one of each choice, and a word in each slot. */
export function expand(template: string, random: () => number): string {
  let text = template;
  for (let found = CHOICE.exec(text); found !== null; found = CHOICE.exec(text)) {
    const choices = (found[1] ?? found[3] ?? '').split('|');
    const optional = found[2] === '?' || found[3] !== undefined;
    const chosen = optional && random() < 0.5 ? '' : pick(choices, random);
    text = `${text.slice(0, found.index)}${chosen}${text.slice(found.index + found[0].length)}`;
  }
  return text.replaceAll(/\{(\w+)\}/g, (whole, slot: string) => {
    const words = wordsFor(slot);
    return words === undefined ? whole : pick(words, random);
  });
}
