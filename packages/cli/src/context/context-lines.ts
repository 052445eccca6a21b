import type { ReadContextResponse } from '@bulkhead/protocol/client';
import type { Output } from '../output/output.ts';

/**
 * A request by section as lines for a person: tokens of each, actual tokens of the last call, share
 * of the window [C7].
 */
export function contextLines(context: ReadContextResponse, output: Output): readonly string[] {
  const { sections, contextWindow, vocabulary, model } = context;
  const total = sections.reduce((sum, { tokens }) => sum + tokens, 0);
  const rows = sections.map(
    ({ part, name, tokens }) => [part, output.safeLine(name), grouped(tokens)] as const,
  );
  const all = [...rows, ['', 'total', grouped(total)] as const];
  const widths = [0, 1].map((column) => Math.max(...all.map((row) => row[column]?.length ?? 0)));
  const most = Math.max(...all.map(([, , tokens]) => tokens.length));
  const lines = all.map(([part, name, tokens], at) => {
    const shown = part === all[at - 1]?.[0] ? '' : part;
    return `${shown.padEnd(widths[0] ?? 0)}  ${name.padEnd(widths[1] ?? 0)}  ${tokens.padStart(most)}`;
  });
  const share =
    contextWindow === 0
      ? ''
      : `, ${percent(total, contextWindow)} of its window of ${grouped(contextWindow)}`;
  return [
    ...lines,
    output.palette.dim(`${output.safe(model)}${share}; counted in ${output.safe(vocabulary)}`),
    ...lastCallLines(context, output),
    ...LEGEND.map((line) => output.palette.dim(line)),
  ];
}

/** Explains the table's words to a new reader. */
const LEGEND = [
  'tools: tools the model may call · system: its identity and rules · history: earlier messages ·',
  'turn: sent with the newest message. A token is about four letters. Cached: tokens that the provider still had',
  'from an earlier call, at a lower price; fresh: all other tokens.',
];

function lastCallLines({ lastCall }: ReadContextResponse, output: Output): string[] {
  if (lastCall === undefined) return [];
  const { inputTokens, cachedTokens, cacheWriteTokens, outputTokens, estimated, model } = lastCall;
  const written =
    cacheWriteTokens === 0 ? '' : ` (${grouped(cacheWriteTokens)} of them written to the cache)`;
  const how = estimated ? 'estimated' : `as ${output.safe(model)} counted`;
  return [
    `last call: ${grouped(inputTokens)} in, of which ${grouped(cachedTokens)} cached (${percent(cachedTokens, inputTokens)}) and ` +
      `${grouped(Math.max(0, inputTokens - cachedTokens))} fresh${written}; ${grouped(outputTokens)} out; ${how}`,
  ];
}

function percent(part: number, whole: number): string {
  return whole === 0 ? '0 %' : `${((100 * part) / whole).toFixed(1)} %`;
}

function grouped(value: number): string {
  return value.toLocaleString('en-US');
}
