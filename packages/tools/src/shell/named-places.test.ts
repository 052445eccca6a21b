import { describe, expect, it } from 'vitest';
import { namedPlaces } from './named-places.ts';

const paths = (command: string, output = '') => namedPlaces(command, output).map(({ path }) => path);

describe('namedPlaces', () => {
  it.each([
    ['cat ../shared/s.js | head', ['../shared/s.js']],
    ['PYTHONPATH=../library:lib python3 -c "import lib"', ['../library']],
    ['make -C .. all', ['..']],
    ['cp src/../../notes.txt .', ['src/../../notes.txt']],
    ["tar xf '/data/sets/a.tar'", ['/data/sets/a.tar']],
    ['echo a...b ../', ['../']],
    ['node src/index.js && ls .', []],
  ])('reads what points out of the folder in %j', (command, expected) => {
    expect(paths(command)).toEqual(expected);
  });

  it.each([
    ['cat: shared/s.txt: No such file or directory\n', ['shared/s.txt']],
    ["FileNotFoundError: [Errno 2] No such file or directory: '../x y/z'\n", ['../x y/z', '../x', 'y/z']],
    ["Error: ENOENT: no such file or directory, open '/home/ada/x.txt'\n", ['/home/ada/x.txt']],
    ["Error: Cannot find module '../lib/a.js'\n", ['../lib/a.js']],
    ["fatal: repository '/home/ada/library' does not exist\n", ['/home/ada/library']],
    ['src/a.c:1:10: fatal error: ../x.h: No such file or directory\n', ['src/a.c', '../x.h']],
    ['at /home/ada/app/a.js\n', []],
  ])('reads the places that a line reports as missing: %j', (output, expected) => {
    expect(paths('npm test', output)).toEqual(expected);
  });

  it.each([
    ['echo x >> ../a.txt', '', ['../a.txt']],
    ['cat ../b > "../c d"; mkdir -p ../e && cp ../f .', '', ['../c', '../e']],
    ['cat ../a', 'bash: ../x/y: Read-only file system', ['../x/y']],
    [
      'make -C ..',
      '/bin/sh: 1: cannot create library/out.txt: Read-only file system\n',
      ['/bin/sh', 'library/out.txt'],
    ],
  ])('tells what was to be written in %j', (command, output, expected) => {
    const written = namedPlaces(command, output).filter(({ write }) => write === true);
    expect(written.map(({ path }) => path)).toEqual(expected);
  });

  it('takes a place that was refused as relative to what the command names, too', () => {
    const [refused] = namedPlaces('make -C ..', 'sh: cannot create library/out.txt: Read-only file system');
    expect(refused).toEqual({ path: 'library/out.txt', from: ['.', '..'], write: true });
  });

  it('keeps the folder that a `cd` leads to', () => {
    expect(namedPlaces('cat ../a; cd web && cd src && cat ../../b', 'cat: x/y: not found')).toEqual([
      { path: 'x/y', from: ['./web/src', '.'] },
      { path: '../a', from: ['.'] },
      { path: '../../b', from: ['./web/src'] },
    ]);
  });

  it('reads a bounded number from a bounded text', () => {
    const many = Array.from({ length: 5_000 }, (_, at) => `cat: ../f${at}: No such file or directory\n`);
    expect(paths('x', many.join(''))).toHaveLength(24);
    expect(paths(`${'x '.repeat(10_000)} ../late`)).toEqual([]);
    expect(paths(`cat ../${'x'.repeat(2_000)}`)).toEqual([]);
  });
});
