import { LABEL, type Labels } from '../../effects/labels.ts';
import { HOLE, isKnown } from '../../effects/pattern-text.ts';

/**
 * A text as far as it is known, with labels of its origin: a word, a variable's value, data in a
 * pipe.
 */
export interface Text {
  /** With markers for unknown parts. */
  readonly text: string;
  readonly labels: Labels;
}

export const EMPTY: Text = { text: '', labels: LABEL.none };

/** A text written in the command itself. */
export function literal(text: string): Text {
  return { text, labels: LABEL.none };
}

/** An unknown text with known labels. */
export function unknownText(labels: Labels = LABEL.opaque): Text {
  return { text: HOLE, labels };
}

/** Joins texts in order. */
export function joinTexts(texts: readonly Text[], separator = ''): Text {
  if (texts.length === 1 && texts[0] !== undefined) return texts[0];
  let labels: Labels = LABEL.none;
  for (const each of texts) labels |= each.labels;
  const text = texts.map((each) => each.text).join(separator);
  return { text: text.length > MAX_TEXT ? HOLE : text, labels };
}

/** Longer texts are not followed: no text judged by its content is that long. */
const MAX_TEXT = 65_536;

export function withLabels(text: Text, labels: Labels): Text {
  return (text.labels | labels) === text.labels ? text : { text: text.text, labels: text.labels | labels };
}

/** The output of a program that changes its input in an unknown way: keeps only the labels. */
export function transformed(text: Text): Text {
  return text.text === '' ? text : { text: HOLE, labels: text.labels | LABEL.opaque };
}

/** Applies a function of known texts; unknown ones become a hole. */
export function mapKnown(text: Text, change: (known: string) => string | undefined): Text {
  const changed = isKnown(text.text) ? change(text.text) : undefined;
  return changed === undefined ? transformed(text) : { text: changed, labels: text.labels };
}
