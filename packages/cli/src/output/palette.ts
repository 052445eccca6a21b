/** Colours for our own words; identity without colours. */
export interface Palette {
  dim(text: string): string;
  bold(text: string): string;
  red(text: string): string;
  green(text: string): string;
  yellow(text: string): string;
  cyan(text: string): string;
}

/** @see https://no-color.org for `NO_COLOR` */
export function wantsColour(
  stream: { readonly isTTY?: boolean },
  env: Readonly<Record<string, string | undefined>>,
): boolean {
  const refused = env['NO_COLOR'] !== undefined && env['NO_COLOR'] !== '';
  return stream.isTTY === true && !refused && env['TERM'] !== 'dumb';
}

export function createPalette(coloured: boolean): Palette {
  const paint = (open: number, close: number) => (text: string) =>
    coloured ? `\x1b[${open}m${text}\x1b[${close}m` : text;
  return {
    dim: paint(2, 22),
    bold: paint(1, 22),
    red: paint(31, 39),
    green: paint(32, 39),
    yellow: paint(33, 39),
    cyan: paint(36, 39),
  };
}
