import type { Style, ThemeName } from './style.ts';
import { createStyle } from './style.ts';

/** How everything is drawn. A new one for each change, so that `===` tells what is drawn in the old. */
export interface Look {
  readonly theme: ThemeName;
  readonly style: Style;
  /** The model's thinking is shown, not only that there was some. */
  readonly thinking: boolean;
  /** Results, diffs and arguments are shown whole. */
  readonly expanded: boolean;
}

export function createLook(theme: ThemeName): Look {
  return { theme, style: createStyle(theme), thinking: false, expanded: false };
}

type Variables = Readonly<Record<string, string | undefined>>;

/**
 * The theme that the surroundings ask for.
 *
 * @see https://no-color.org for `NO_COLOR`; `COLORFGBG` is what rxvt and its kin say of their colours
 */
export function themeOf(env: Variables): ThemeName {
  if ((env['NO_COLOR'] ?? '') !== '' || env['TERM'] === 'dumb') return 'none';
  const background = Number(env['COLORFGBG']?.split(';').at(-1) ?? '0');
  return background === 7 || background === 15 ? 'light' : 'dark';
}

/** True if the terminal may not know what to do with bytes above 127: no UTF-8 in the locale, or the Linux console. */
export function wantsAscii(env: Variables): boolean {
  const locale = [env['LC_ALL'], env['LC_CTYPE'], env['LANG']].find((value) => (value ?? '') !== '') ?? '';
  return env['TERM'] === 'linux' || !/utf-?8/i.test(locale);
}
