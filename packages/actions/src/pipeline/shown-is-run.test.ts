import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, unlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Action } from '@bulkhead/protocol';
import { sweepOf } from '@bulkhead/testkit/sweep';
import { coreTools, createToolRegistry, everyGroup, toolsOf } from '@bulkhead/tools';
import * as fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { OpenQuestion } from '../approvals/approval-service.ts';
import { YES } from '../testing/answers.ts';
import { approvalStage } from '../testing/approval-stage.ts';
import { noLabels, noSnapshots } from '../testing/no-stages.ts';
import { allow, pipelineStage } from '../testing/pipeline-stage.ts';
import type { PipelineParts } from './pipeline-parts.ts';

const registry = createToolRegistry([...coreTools, ...toolsOf('web')], everyGroup);
const tools = { get: (name: string) => registry.get(name), names: () => [] };
const ask = { ...allow, decision: 'escalate' } as const;
const sha256 = (text: string): string => createHash('sha256').update(text, 'utf8').digest('hex');

let folder: string;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'shown-')));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** The last line of a question, which shows the action byte for byte. */
function exactly(question: OpenQuestion | undefined): string {
  return /^exactly: (.*)$/.exec(question?.full().split('\n').at(-1) ?? '')?.[1] ?? '';
}

/**
 * Decodes that line: hidden characters were spelled out one to one, and nothing else was changed.
 */
function readBack(shown: string): string {
  return shown.replaceAll(
    /\\(?:u\{([0-9a-f]{1,6})\}|u[0-9a-f]{4}|[^u])/g,
    (spelled, hex: string | undefined) =>
      hex === undefined ? spelled : String.fromCodePoint(Number.parseInt(hex, 16)),
  );
}

/**
 * Proposes a call, and approves the question after `meanwhile`. @returns the question, and the
 * executed call
 */
async function approved(
  tool: string,
  argumentsJson: string,
  parts: Partial<PipelineParts> = {},
  meanwhile: () => void = () => {},
) {
  const { service } = approvalStage();
  const test = pipelineStage({ approvals: service, tools, ...parts }, ask, folder);
  const asked: OpenQuestion[] = [];
  const running = test.run(argumentsJson, 'ask', tool);
  const done = running.then(() => true);
  while (!(await Promise.race([done, new Promise((resolve) => setImmediate(resolve, false))]))) {
    for (const open of service.open) {
      if (asked.some(({ id }) => id === open.id)) continue;
      asked.push(open);
      meanwhile();
      service.decide({ approval: open.id, session: open.sessionId, hash: open.hash }, YES);
    }
  }
  return { asked, outcome: await running, calls: test.calls };
}

/** The bytes of an action as the executor receives them. */
const executedBytes = ({ tool, canonicalArguments }: { tool: string; canonicalArguments: string }): string =>
  `{"arguments":${canonicalArguments},"tool":${JSON.stringify(tool)}}`;

const hostile: readonly (readonly [string, string, string])[] = [
  ['text that is turned round', 'bash', '{"command":"echo \\u202egpj.sh\\u202c"}'],
  ['zero width', 'bash', '{"command":"r\\u200bm -\\u2060rf x"}'],
  ['tag characters', 'bash', '{"command":"ls \\udb40\\udc72\\udb40\\udc6d"}'],
  ['look-alikes', 'bash', '{"command":"с\\u0430t ѕecret"}'],
  ['escape codes', 'bash', '{"command":"ls \\u001b[2J\\u001b[1;1Hls"}'],
  ['a spelling of a hidden character', 'bash', '{"command":"echo \\\\u{202e} \\\\\\\\u{200b}"}'],
  ['a key that stands twice', 'bash', '{"command":"ls","command":"rm -rf x"}'],
  ['a key that stands twice, spelled in two ways', 'bash', '{"command":"ls","c\\u006fmmand":"rm -rf x"}'],
  ['half a pair', 'bash', '{"command":"echo \\ud800"}'],
  ['a NUL', 'bash', '{"command":"ls\\u0000 rm -rf x"}'],
  ['carriage returns', 'bash', '{"command":"rm -rf x\\rls        "}'],
  ['blanks in front', 'bash', `{"command":"${' '.repeat(50_000)}rm -rf x"}`],
  ['a huge text', 'bash', `{"command":"echo ${'a1'.repeat(100_000)}; rm -rf x"}`],
  ['another order, other blanks and other escapes', 'write', ' {"content" : "\\u0061\\/b" , "path":"a" } '],
  ['a path with other spellings', 'write', '{"path":"./b//../a","content":"x"}'],
  ['a number in another spelling', 'bash', '{"command":"ls","timeout":1.0e1}'],
];

describe('the shown action is the one that runs', () => {
  it.each(hostile)('to the byte, or nothing runs: %s [FG3] [FT42] [FR4]', async (_what, tool, args) => {
    const { asked, outcome, calls } = await approved(tool, args);
    expect(calls.length).toBe(outcome.result.isError ? 0 : 1);
    for (const call of calls) {
      const [question] = asked;
      const bytes = executedBytes(call);
      expect(question?.hash).toBe(sha256(bytes));
      expect(sha256(readBack(exactly(question)))).toBe(sha256(bytes));
    }
  });

  it('shows of two calls that differ something that differs, for any text [FG3] [FT42]', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary', minLength: 1, maxLength: 40 }), async (command) => {
        const { asked, calls } = await approved('bash', JSON.stringify({ command }));
        for (const call of calls) {
          expect(readBack(exactly(asked[0]))).toBe(executedBytes(call));
        }
      }),
      { numRuns: sweepOf(30, 300) },
    );
  });

  it('asks no one, and runs nothing, for arguments that are nested without end [FG3] [FT22]', async () => {
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    for (const args of [`{"command":${deep}}`, `{"command":"ls","other":${deep}}`, deep]) {
      const { asked, calls, outcome } = await approved('bash', args);
      expect(asked).toEqual([]);
      expect(calls).toEqual([]);
      expect(outcome.result.isError).toBe(true);
    }
  });
});

describe('a change between judgement and effect', () => {
  it('of a link that has a new target at the time of the approval: nothing runs [FG3] [FT26] [FT43]', async () => {
    for (const name of ['one', 'two']) mkdirSync(join(folder, name));
    symlinkSync('one', join(folder, 'link'));
    const { asked, calls, outcome } = await approved('write', '{"path":"link/a","content":"x"}', {}, () => {
      unlinkSync(join(folder, 'link'));
      symlinkSync('two', join(folder, 'link'));
    });
    expect(asked).toHaveLength(1);
    expect(outcome).toMatchObject({ refused: true });
    expect(outcome.result.text).toContain('changed after it was judged');
    expect(calls).toEqual([]);
  });

  it('the action itself can not, whichever stage tries: what was judged runs [FG3] [FT26] [FR4]', async () => {
    const tries: string[] = [];
    const spoil = (stage: string, { arguments: args, metadata, ...action }: Action): void => {
      const done = [
        Reflect.set(args, 'path', 'evil'),
        Reflect.set(metadata, 'workingFolder', '/'),
        Reflect.defineProperty(args, 'content', { value: 'evil' }),
        Reflect.deleteProperty(args, 'path'),
      ];
      expect(action.hash).toBe(sha256(action.canonical));
      expect(done).toEqual([false, false, false, false]);
      tries.push(stage);
    };
    const { calls } = await approved('write', '{"path":"a","content":"x"}', {
      labels: {
        ...noLabels,
        decide: (action) => {
          spoil('flow', action);
          return { says: 'allow' };
        },
      },
      shield: {
        judge: async (action) => {
          spoil('shield', action);
          return ask;
        },
      },
      snapshots: { ...noSnapshots, take: async (action) => spoil('snapshot', action) },
    });
    expect(new Set(tries)).toEqual(new Set(['flow', 'shield', 'snapshot']));
    expect(calls[0]?.canonicalArguments).toBe('{"content":"x","path":"a"}');
  });
});
