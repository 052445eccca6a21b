import type { Style, ThemeName } from './style.ts';
import { createStyle } from './style.ts';

/** How everything is drawn. Each change makes a new one, so `===` finds output in the old look. */
export interface Look {
  readonly theme: ThemeName;
  readonly style: Style;
  /** True shows the model's thinking; otherwise only a note that it exists. */
  readonly thinking: boolean;
  /** Results, diffs and arguments are shown whole. */
  readonly expanded: boolean;
}

export function createLook(theme: ThemeName): Look {
  return { theme, style: createStyle(theme), thinking: false, expanded: false };
}

type Variables = Readonly<Record<string, string | undefined>>;

/**
 * The theme that the environment requests.
 *
 * @see https://no-color.org for `NO_COLOR`; `COLORFGBG` describes the colours of rxvt and similar
 * terminals
 */
export function themeOf(env: Variables): ThemeName {
  if ((env['NO_COLOR'] ?? '') !== '' || env['TERM'] === 'dumb') return 'none';
  const background = Number(env['COLORFGBG']?.split(';').at(-1) ?? '0');
  return background === 7 || background === 15 ? 'light' : 'dark';
}

/**
 * True if the terminal may not handle bytes above 127: no UTF-8 in the locale, or the Linux
 * console.
 */
export function wantsAscii(env: Variables): boolean {
  const locale = [env['LC_ALL'], env['LC_CTYPE'], env['LANG']].find((value) => (value ?? '') !== '') ?? '';
  return env['TERM'] === 'linux' || !/utf-?8/i.test(locale);
}
