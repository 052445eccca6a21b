/** Wraps our own or inert text in the sequences of one style. */
export type Paint = (text: string) => string;

/** Styles by meaning. */
export interface Style {
  readonly dim: Paint;
  readonly bold: Paint;
  readonly italic: Paint;
  readonly underline: Paint;
  readonly strike: Paint;
  /** Ours: borders, marks, headings. */
  readonly accent: Paint;
  /** The person's own words. */
  readonly person: Paint;
  readonly success: Paint;
  readonly warning: Paint;
  readonly danger: Paint;
  readonly code: Paint;
  readonly keyword: Paint;
  readonly string: Paint;
  readonly number: Paint;
  readonly comment: Paint;
  readonly added: Paint;
  readonly removed: Paint;
  readonly hunk: Paint;
  readonly selected: Paint;
}

export const THEMES = ['dark', 'light', 'none'] as const;
export type ThemeName = (typeof THEMES)[number];

export function isThemeName(value: unknown): value is ThemeName {
  return THEMES.some((name) => name === value);
}

type Colours = Readonly<
  Record<
    | 'accent'
    | 'person'
    | 'success'
    | 'warning'
    | 'danger'
    | 'code'
    | 'keyword'
    | 'string'
    | 'number'
    | 'comment'
    | 'added'
    | 'removed'
    | 'hunk',
    number
  >
>;

/**
 * Numbers of the 256-colour palette, each with a contrast of 4.5 or more against black, or white.
 */
const COLOURS: Readonly<Record<Exclude<ThemeName, 'none'>, Colours>> = {
  dark: {
    accent: 110,
    person: 152,
    success: 114,
    warning: 179,
    danger: 210,
    code: 180,
    keyword: 176,
    string: 114,
    number: 180,
    comment: 245,
    added: 114,
    removed: 210,
    hunk: 110,
  },
  light: {
    accent: 25,
    person: 24,
    success: 22,
    warning: 94,
    danger: 124,
    code: 94,
    keyword: 90,
    string: 22,
    number: 94,
    comment: 241,
    added: 22,
    removed: 124,
    hunk: 25,
  },
};

const plain: Paint = (text) => text;

/** @param theme `none` for no sequences */
export function createStyle(theme: ThemeName): Style {
  const sequence = (open: string, close: number): Paint =>
    theme === 'none' ? plain : (text) => (text === '' ? '' : `\x1b[${open}m${text}\x1b[${close}m`);
  const colour = (name: keyof Colours): Paint =>
    theme === 'none' ? plain : sequence(`38;5;${COLOURS[theme][name]}`, 39);
  return {
    dim: colour('comment'),
    bold: sequence('1', 22),
    italic: sequence('3', 23),
    underline: sequence('4', 24),
    strike: sequence('9', 29),
    accent: colour('accent'),
    person: colour('person'),
    success: colour('success'),
    warning: colour('warning'),
    danger: colour('danger'),
    code: colour('code'),
    keyword: colour('keyword'),
    string: colour('string'),
    number: colour('number'),
    comment: colour('comment'),
    added: colour('added'),
    removed: colour('removed'),
    hunk: colour('hunk'),
    selected: sequence('7', 27),
  };
}
