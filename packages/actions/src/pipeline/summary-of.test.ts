import { everyTool } from '@bulkhead/tools';
import { describe, expect, it } from 'vitest';
import { summaryOf } from './summary-of.ts';

const metadata = { group: 'core', workingFolder: '/w', paths: [], effect: 'pure' } as const;
const ok = (text: string, display?: string) => ({
  text,
  isError: false,
  ...(display === undefined ? {} : { display }),
});
const command = { tool: 'bash', metadata: { ...metadata, command: 'make' } };

describe('the summary of an action for a person', () => {
  it.each([
    [
      'edit',
      ok('edited a (7 bytes)', '--- a/a\n+++ b/a\n@@ -1,2 +1,3 @@\n same\n-old\n+new\n+more\n'),
      '2 lines added, 1 line removed',
    ],
    ['write', ok('wrote a', '--- /dev/null\n+++ b/a\n@@ -0,0 +1,1 @@\n+x'), '1 line added'],
    [
      'grep',
      ok('a:1: x\nb:2: x\n[the first 2 matches; narrow the pattern, the path or the glob]'),
      '2 matches',
    ],
    ['grep', ok('no matches'), 'no matches'],
    ['find', ok('a.md'), '1 file'],
    ['find', ok('no files match'), 'no files'],
    ['read', ok('1\n2\n3\n'), '3 lines'],
    ['read', { text: 'there is no such file\nlook for it', isError: true }, 'there is no such file'],
  ])('by %s', (tool, result, summary) => {
    const card = everyTool.find(({ name }) => name === tool)?.card ?? { kind: 'other' };
    expect(summaryOf({ card, metadata }, result)).toBe(summary);
  });

  it.each([
    [ok('one\ntwo\n[files: 1 created]'), '2 lines of output'],
    [ok('(no output)'), 'no output'],
    [{ text: 'make: nothing\n[exit code 2]\n[nothing it changed was kept]', isError: true }, 'exit code 2'],
    [{ text: '[exit code 0]\n[stopped: cancelled]', isError: true }, 'stopped: cancelled'],
    [{ text: 'the box could not be set up: no', isError: true }, 'the box could not be set up: no'],
  ])('by a command', (result, summary) => {
    expect(summaryOf(command, result)).toBe(summary);
  });
});
