import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readCommand } from './analyse-command.ts';
import { createCommandReadings } from './command-readings.ts';

const readings = createCommandReadings('/home/ada');

const actionOf = (command?: string, hosts: readonly string[] = []) => ({
  metadata: {
    workingFolder: '/w',
    paths: [],
    ...(command === undefined ? {} : { command }),
    hosts,
    group: 'shell',
    effect: 'once' as const,
  },
});
const startedBy = (command: string) => readings.startedBy(actionOf(command));

/** The started commands, in words; a star marks parts that are not plain words. */
function started(command: string): readonly string[] | undefined {
  return startedBy(command)?.map(
    ({ words, plain }) => `${plain ? '' : '*'}${words.map((word) => word ?? '?').join(' ')}`,
  );
}

describe('the simple commands that a text starts [H1]', () => {
  it.each([
    ["ls 'a b' ~/c", ['ls a b /home/ada/c']],
    ['a | b && c; d &', ['a', 'b', 'c', 'd']],
    ['echo $(id -u)', ['id -u', 'echo ?']],
    ['sudo -u bob rm x', ['sudo -u bob rm x', 'rm x']],
    ["bash -c 'cd /; make all'", ['bash -c cd /; make all', 'cd /', 'make all']],
    ['if a; then b; else c; fi', ['a', 'b', 'c']],
    ['x=rm; $x y', ['*', 'rm y']],
    ['ls > out', ['*', 'ls']],
    ['{ ls; } > out', ['*', 'ls']],
    ['A=1 ls', ['*', 'ls']],
    ['$tool x', ['? x']],
    ['rm *', ['rm ?']],
    ['f() { rm y; }; f', ['f', 'rm y']],
  ])('%s', (command, commands) => {
    expect(started(command)).toEqual(commands);
  });

  it.each(['(ls', 'ls "', 'eval "$x"', 'x'.repeat(40_000)])('are unknown for %.20s', (command) => {
    expect(started(command)).toBeUndefined();
  });

  it('never throws', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 200 }), (text) => void startedBy(text)),
      { numRuns: 500 },
    );
  });
});

describe('the files that a command reads', () => {
  it.each([
    ['cat prod.tfstate passwords.txt', ['/w/prod.tfstate', '/w/passwords.txt']],
    ['cd sub && head -1 < notes.txt', ['/w/sub/notes.txt']],
    ['sh -c "base64 /w/key.txt"', ['/w/key.txt']],
    ['f=passwords; grep x "$f".txt | tail -1', ['/w/passwords.txt']],
  ])('%s reads what it reads, whatever the spelling [H2]', (command, paths) => {
    expect(readings.readBy(actionOf(command))).toEqual(expect.arrayContaining(paths));
  });

  it('a command that reads nothing reads nothing', () => {
    expect(readings.readBy(actionOf('echo hello'))).toEqual([]);
  });
});

describe('one action', () => {
  it('is made once for all who ask for it; another command is read anew', () => {
    const read: string[] = [];
    const counted = createCommandReadings('/home/ada', (command, place) => {
      read.push(`${command} in ${place.workingFolder} with ${place.hosts.join()}`);
      return readCommand(command, place);
    });
    const action = actionOf('curl a.example < x', ['a.example']);
    for (let asked = 0; asked < 2; asked += 1) {
      expect(counted.of(action)?.effects.length).toBeGreaterThan(0);
      expect(counted.startedBy(action)).toHaveLength(2);
      expect(counted.readBy(action)).toEqual(['/w/x']);
    }
    expect(read).toEqual(['curl a.example < x in /w with a.example']);
    counted.of(actionOf('curl a.example < x'));
    expect(read).toHaveLength(2);
  });

  it('that is no command reads and starts nothing', () => {
    expect([readings.of(actionOf()), readings.startedBy(actionOf()), readings.readBy(actionOf())]).toEqual([
      undefined,
      undefined,
      [],
    ]);
  });
});
