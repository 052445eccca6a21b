import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { create } from '@bufbuild/protobuf';
import { buildAction } from '@bulkhead/actions/pipeline/canonical-action';
import { pipelineStage, shippedFlow } from '@bulkhead/actions/testing';
import { changeConfig } from '@bulkhead/home/config/change-config';
import { jsonDepth } from '@bulkhead/log/session/json-depth';
import { NO_USAGE } from '@bulkhead/log/session/message-view';
import { BulkheadError, homeLayout } from '@bulkhead/protocol';
import { AssistantMessageSchema, ToolCallSchema } from '@bulkhead/protocol/chat';
import { Round } from '@bulkhead/runtime/testing';
import { parseFlowPolicy, parsePolicy } from '@bulkhead/shield';
import { createAnalysis, createCommandReadings } from '@bulkhead/shield/analysis';
import { coreTools } from '@bulkhead/tools';
import { describe, expect, it } from 'vitest';

/** The depth in the row of the catalogue. */
const DEPTH = 100_000;
/** Long for one text, and far below the time of a text that traps a parser. */
const TIME_MS = 20_000;

const nested = (open: string, close: string, core = '1'): string =>
  `${open.repeat(DEPTH)}${core}${close.repeat(DEPTH)}`;

const PROPOSAL = {
  sessionId: 's',
  runId: 'r',
  callId: 'c',
  tool: 'bash',
  loaded: true,
  argumentsJson: '',
  workingFolder: '/project',
};

const jsonTexts: readonly (readonly [string, string])[] = [
  ['arrays', nested('[', ']')],
  ['objects', nested('{"a":', '}')],
  ['both in turn', nested('[{"a":', '}]')],
  ['arrays that are never closed', '['.repeat(DEPTH)],
  ['objects that are never closed', '{"a":'.repeat(DEPTH)],
];

/** Each builds a command of that many levels. */
const commands: readonly (readonly [string, (levels: number) => string])[] = [
  ['substitutions', around('$(', ')', 'ls')],
  ['groups', around('( ', ' )', 'ls')],
  ['braces', around('{ ', '; }', 'ls')],
  ['back quotes', around('`', '`', 'ls')],
  ['arithmetic', around('$((', '))', '1')],
  ['parameters', around('${a:-', '}', '1')],
  ['conditions', around('if ', '; then ls; fi', 'true')],
  ['process substitutions', around('cat <(', ')', 'ls')],
  ['quotes in quotes', around('"$(', ')"', 'ls')],
  ['substitutions that are never closed', around('$(', '', 'ls')],
  ['shells in a shell', around('sh -c "', '', 'rm -rf x')],
  ['wrappers', around('sudo ', '', 'rm -rf x')],
  ['here-documents', around('cat <<a\n', '', 'ls')],
];

function around(open: string, close: string, core: string) {
  return (levels: number): string => `${open.repeat(levels)}${core}${close.repeat(levels)}`;
}

function timed<Result>(run: () => Result): Result {
  const started = process.cpuUsage();
  try {
    return run();
  } finally {
    expect(process.cpuUsage(started).user / 1_000).toBeLessThan(TIME_MS);
  }
}

/** The thrown error, which must be one of ours; undefined if none. */
function refusalOf(run: () => unknown): BulkheadError | undefined {
  try {
    run();
    return undefined;
  } catch (error) {
    if (BulkheadError.is(error)) return error;
    throw error;
  }
}

describe('a hundred thousand levels of nesting', () => {
  it.each(jsonTexts)('in the arguments of a call end the round: %s [FT22]', (_what, argumentsJson) => {
    const value = create(ToolCallSchema, { callId: '1', name: 'read', argumentsJson });
    const answer = create(AssistantMessageSchema, { parts: [{ part: { case: 'toolCall', value } }] });
    const error = timed(() => refusalOf(() => new Round(1, answer, NO_USAGE, 'tool_calls')));
    expect(error?.code).toBe('format_error');
  });

  it('are counted without recursion, also behind a string that is not closed [FT22]', () => {
    expect(timed(() => jsonDepth(nested('[', ']')))).toBe(DEPTH);
    for (const rest of ['\\"', '"', '\\', 'a'])
      expect(timed(() => jsonDepth(`"${rest.repeat(20 * DEPTH)}`))).toBe(0);
  });

  it.each(jsonTexts)(
    'in a proposal that reached the pipeline all the same run nothing: %s [FT22]',
    async (_what, text) => {
      const test = pipelineStage();
      const started = process.cpuUsage();
      const { result } = await test.run(`{"path":"a","content":${text}}`, 'allow');
      expect(process.cpuUsage(started).user / 1_000).toBeLessThan(TIME_MS);
      expect(result.isError).toBe(true);
      expect(test.calls).toEqual([]);
    },
  );

  it.each([
    ['flow style', nested('[', ']')],
    ['maps', nested('{a: ', '}')],
    ['block style', Array.from({ length: 2_000 }, (_, n) => `${' '.repeat(n)}a:`).join('\n')],
    ['lists in lists', `${'- '.repeat(DEPTH)}a`],
    ['never closed', '['.repeat(DEPTH)],
    [
      'aliases that multiply',
      [
        'a: &a [x,x,x,x,x,x,x,x,x]',
        ...'bcdefghij'
          .split('')
          .map((name, at) => `${name}: &${name} [${Array(9).fill(`*${'abcdefghi'[at]}`).join()}]`),
      ].join('\n'),
    ],
  ])('in a policy, and in what is set in config.yaml, refuse it: %s [FT22]', (_what, yaml) => {
    const text = `version: 1\nname: p\nrules: ${yaml.includes('\n') ? '\n' : ''}${yaml}\n`;
    expect(timed(() => refusalOf(() => parsePolicy(text, 'p.yaml', 'd')))).toBeDefined();
    expect(timed(() => refusalOf(() => parseFlowPolicy(text, 'ifc.yaml')))).toBeDefined();
    const folder = mkdtempSync(join(tmpdir(), 'bulkhead-deep-'));
    const layout = homeLayout(folder);
    const change = (value: string) => changeConfig(layout, [{ key: 'tools.web.hosts', value }]);
    expect(timed(() => refusalOf(() => change(yaml)))).toBeDefined();
    writeFileSync(layout.config, text);
    expect(timed(() => refusalOf(() => change('[a.example]')))?.code).toBe('config_invalid');
    rmSync(folder, { recursive: true });
  });

  it.each(commands)('in a command are no yes of the analysis: %s [FT22]', async (_what, of) => {
    const bash = coreTools.find(({ name }) => name === 'bash');
    if (bash === undefined) throw new Error('there is no bash');
    const stamp = { id: 'a', time: 0 };
    const actionOf = (command: string) => buildAction(PROPOSAL, bash, bash.parse({ command }), stamp);
    expect(refusalOf(() => actionOf(of(DEPTH)))?.code).toBe('invalid_arguments');
    // The deepest command that the tool accepts.
    const command = of(Math.floor(99_000 / (of(2).length - of(1).length)));
    const { tools } = shippedFlow();
    const readings = createCommandReadings('/home/ada');
    const analysis = createAnalysis({ annotations: tools, preset: 'default', home: '/home/ada', readings });
    const started = process.cpuUsage();
    const verdict = await analysis.judge(
      actionOf(command),
      { request: '', now: 0 },
      new AbortController().signal,
    );
    expect(process.cpuUsage(started).user / 1_000).toBeLessThan(TIME_MS);
    expect(verdict?.decision).not.toBe('allow');
    const { metadata } = actionOf('true');
    const tooDeep = { metadata: { ...metadata, command: of(DEPTH) } };
    expect(timed(() => readings.startedBy(tooDeep))).toBeUndefined();
  });

  it('leaves no trace in what all objects share [FT22]', async () => {
    const before = [Object.prototype, Array.prototype].map((shared) => Reflect.ownKeys(shared));
    const test = pipelineStage();
    for (const args of [
      '{"path":"a","__proto__":{"polluted":1}}',
      '{"path":"a","constructor":{"prototype":{"polluted":1}}}',
      '{"path":{"__proto__":{"polluted":1}}}',
      '{"path":"a","n":1e999}',
    ])
      await test.run(args, 'allow');
    expect([Object.prototype, Array.prototype].map((shared) => Reflect.ownKeys(shared))).toEqual(before);
    expect(Reflect.get({}, 'polluted')).toBeUndefined();
  });
});
