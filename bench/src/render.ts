import type { Row, Target } from './figure.ts';
import { summarise } from './statistics.ts';

/** The median, and the range it came from. @param unit with its leading space */
export function spread(values: readonly number[], unit: string, digits = 0): string {
  const { median, min, max } = summarise(values);
  return `${median.toFixed(digits)}${unit} (${min.toFixed(digits)}–${max.toFixed(digits)})`;
}

/** Both lists in the order of measuring, so that what slowed the machine down meets both of a pair. */
export function pairRatios(product: readonly number[], bare: readonly number[]): readonly number[] {
  return product.flatMap((value, index) => {
    const other = bare[index];
    return other === undefined || other <= 0 ? [] : [value / other];
  });
}

/** A row for values measured in pairs. @param target made of the median ratio and the product's median */
export function pairedRow(
  what: string,
  values: { readonly product: readonly number[]; readonly bare: readonly number[] },
  { unit, digits = 0 }: { readonly unit: string; readonly digits?: number },
  target?: (ratio: number, product: number) => Target,
): Row {
  const ratios = pairRatios(values.product, values.bare);
  const wanted = target?.(median(ratios), median(values.product));
  return {
    what,
    product: spread(values.product, unit, digits),
    bare: spread(values.bare, unit, digits),
    ratio: ratios.length === 0 ? 'bare is too small to compare' : spread(ratios, '×', 2),
    ...(wanted === undefined ? {} : { target: wanted }),
  };
}

function median(values: readonly number[]): number {
  return values.length === 0 ? Number.NaN : summarise(values).median;
}

/** A table in Markdown. */
export function renderTable(rows: readonly Row[]): string {
  const lines = rows.map(({ what, product, bare, ratio, target }) =>
    [what, product, bare, ratio, target?.text ?? 'none', reached(target)].join(' | '),
  );
  const head = [
    'what | product | bare client | ratio | to reach | reached',
    '--- | --- | --- | --- | --- | ---',
  ];
  return [...head, ...lines].map((line) => `| ${line} |`).join('\n');
}

function reached(target: Target | undefined): string {
  if (target === undefined) return '';
  if (target.value <= target.limit) return 'yes';
  return `**no**: ${(target.value / target.limit).toFixed(2)} times the target`;
}
