import type { Cell } from './virtual-terminal.ts';

/** Size of one character, pixels: as common monospaced fonts at 14 pixels. */
const WIDTH = 8.4;
const HEIGHT = 18;
const MARGIN = 12;
const INK = '#d8dee9';
const PAPER = '#16181d';

/**
 * The dark theme's colours of the 256-colour palette
 * (https://en.wikipedia.org/wiki/ANSI_escape_code#8-bit).
 */
const COLOURS: Readonly<Record<number, string>> = {
  110: '#87afd7',
  114: '#87d787',
  152: '#afd7d7',
  176: '#d787d7',
  179: '#d7af5f',
  180: '#d7af87',
  210: '#ff8787',
  245: '#8a8a8a',
};

/** A screen as a picture; equal screens give equal pictures. */
export function svgOf(cells: readonly (readonly Cell[])[], title: string): string {
  const columns = cells[0]?.length ?? 0;
  const width = Math.ceil(columns * WIDTH + 2 * MARGIN);
  const height = cells.length * HEIGHT + 2 * MARGIN;
  const rows = cells.map((row, at) => rowOf(row, MARGIN + (at + 0.75) * HEIGHT)).filter((row) => row !== '');
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}">`,
    `<title>${escaped(title)}</title>`,
    `<rect width="100%" height="100%" rx="8" fill="${PAPER}"/>`,
    `<g font-family="ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace" font-size="14" fill="${INK}" xml:space="preserve">`,
    ...rows,
    '</g>',
    '</svg>',
    '',
  ].join('\n');
}

function rowOf(row: readonly Cell[], y: number): string {
  const runs: { readonly start: number; readonly cell: Cell; text: string; columns: number }[] = [];
  for (const [column, cell] of row.entries()) {
    const last = runs.at(-1);
    if (last !== undefined && cell.width > 0 && alike(last.cell, cell)) {
      last.text += cell.text;
      last.columns += 1;
    } else if (last !== undefined && cell.width === 0) {
      last.columns += 1;
    } else {
      runs.push({ start: column, cell, text: cell.text, columns: 1 });
    }
  }
  return runs
    .filter(({ text, cell }) => text.trim() !== '' || cell.inverse)
    .map(({ start, cell, text, columns }) => runOf(cell, text, MARGIN + start * WIDTH, y, columns * WIDTH))
    .join('');
}

function runOf(cell: Cell, text: string, x: number, y: number, width: number): string {
  const colour = cell.colour === undefined ? INK : (COLOURS[cell.colour] ?? INK);
  const weight = cell.bold ? ' font-weight="bold"' : '';
  const slant = cell.italic ? ' font-style="italic"' : '';
  const line = cell.underline ? ' text-decoration="underline"' : '';
  const left = x.toFixed(1);
  const box = `<rect x="${left}" y="${(y - 0.75 * HEIGHT).toFixed(1)}" width="${width.toFixed(1)}" height="${HEIGHT}" fill="${colour}"/>`;
  const fill = cell.inverse ? PAPER : colour;
  const written =
    text.trim() === ''
      ? ''
      : `<text x="${left}" y="${y.toFixed(1)}" fill="${fill}" textLength="${width.toFixed(1)}"${weight}${slant}${line}>${escaped(text)}</text>`;
  return cell.inverse ? box + written : written;
}

function alike(one: Cell, other: Cell): boolean {
  return (
    one.colour === other.colour &&
    one.bold === other.bold &&
    one.italic === other.italic &&
    one.underline === other.underline &&
    one.inverse === other.inverse
  );
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
