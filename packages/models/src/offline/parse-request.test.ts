import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseRequest } from './parse-request.ts';

const whole = { kind: 'whole' };

describe('parseRequest', () => {
  it.each<[string, readonly object[]]>([
    ['list the files here', [{ kind: 'list', path: '.' }]],
    ['Could you please list the files in this directory?', [{ kind: 'list', path: '.' }]],
    ['ls', [{ kind: 'list', path: '.' }]],
    ["what's in src?", [{ kind: 'list', path: 'src' }]],
    ['list the folder packages', [{ kind: 'list', path: 'packages' }]],
    ['read @notes.md', [{ kind: 'read', path: 'notes.md', part: whole }]],
    ['read (@src/a.ts)', [{ kind: 'read', path: 'src/a.ts', part: whole }]],
    ['create @notes.md with hello', [{ kind: 'write', path: 'notes.md', content: 'hello' }]],
    ['read @@types/a.ts', [{ kind: 'read', path: '@types/a.ts', part: whole }]],
    [
      'which file here is largest? show its first lines',
      [
        { kind: 'rank', order: 'largest', path: '.' },
        { kind: 'read', path: undefined, part: { kind: 'first', lines: 10 } },
      ],
    ],
    ['which is the biggest file in the src folder?', [{ kind: 'rank', order: 'largest', path: 'src' }]],
    [
      'list the files here and tell me which is largest',
      [
        { kind: 'list', path: '.' },
        { kind: 'rank', order: 'largest', path: undefined },
      ],
    ],
    ['how many files are here?', [{ kind: 'count-files', path: '.' }]],
    [
      'read README.md and tell me how many lines',
      [
        { kind: 'read', path: 'README.md', part: whole },
        { kind: 'count', unit: 'lines', path: undefined },
      ],
    ],
    ['Please read the file "my file.txt"', [{ kind: 'read', path: 'my file.txt', part: whole }]],
    [
      'show me the first three lines of package.json',
      [{ kind: 'read', path: 'package.json', part: { kind: 'first', lines: 3 } }],
    ],
    [
      'show the last 5 lines of notes.txt',
      [{ kind: 'read', path: 'notes.txt', part: { kind: 'last', lines: 5 } }],
    ],
    ['cat README', [{ kind: 'read', path: 'README', part: whole }]],
    [
      'create notes.txt with hello and then show it',
      [
        { kind: 'write', path: 'notes.txt', content: 'hello' },
        { kind: 'read', path: undefined, part: whole },
      ],
    ],
    [
      'Create a file called a.txt with the content "hello world".',
      [{ kind: 'write', path: 'a.txt', content: 'hello world' }],
    ],
    ['create x.py containing print("hi")', [{ kind: 'write', path: 'x.py', content: 'print("hi")' }]],
    ["write the text 'done' into r.txt", [{ kind: 'write', path: 'r.txt', content: 'done' }]],
    [
      'create a.md with ```\n# A\n\nb and then c\n```',
      [{ kind: 'write', path: 'a.md', content: '# A\n\nb and then c\n' }],
    ],
    ['append "bye" to out.txt', [{ kind: 'append', path: 'out.txt', content: 'bye' }]],
    ['replace foo with bar in a.txt', [{ kind: 'edit', path: 'a.txt', oldText: 'foo', newText: 'bar' }]],
    ['in a.txt replace "x y" with `z`', [{ kind: 'edit', path: 'a.txt', oldText: 'x y', newText: 'z' }]],
    ['run `npm test`', [{ kind: 'run', command: 'npm test' }]],
    ['run echo "a  b" && pwd', [{ kind: 'run', command: 'echo "a  b" && pwd' }]],
    ['find all *.ts files', [{ kind: 'find', pattern: '*.ts', path: '.' }]],
    ['find all typescript files in packages', [{ kind: 'find', pattern: '*.ts', path: 'packages' }]],
    ['find README.md', [{ kind: 'find', pattern: 'README.md', path: '.' }]],
    ['search for TODO in src', [{ kind: 'search', pattern: 'TODO', path: 'src' }]],
    ['search src for TODO', [{ kind: 'search', pattern: 'TODO', path: 'src' }]],
    ['search for "a.b(" in src', [{ kind: 'search', pattern: 'a\\.b\\(', path: 'src' }]],
    ['which files contain TODO?', [{ kind: 'search', pattern: 'TODO', path: '.' }]],
    ['say hi', [{ kind: 'greet' }]],
    ['Say exactly: pong', [{ kind: 'say', text: 'pong' }]],
    ['help', [{ kind: 'help' }]],
    ['what is the capital of France?', [{ kind: 'unknown', text: 'what is the capital of France' }]],
    ['run the tests', [{ kind: 'unknown', text: 'run the tests' }]],
    ['delete everything', [{ kind: 'unknown', text: 'delete everything' }]],
  ])('understands: %s [D1]', (request, intents) => {
    expect(parseRequest(request)).toEqual(intents);
  });

  it('takes any text, quickly, and always understands it as something', () => {
    const words = fc.constantFrom(
      'read',
      'show',
      'in',
      'with',
      'to',
      '`',
      '"',
      "'",
      'and',
      'then',
      'a.txt',
      '*',
      '\n',
      ' ',
      'it',
      'find',
      'replace',
    );
    const text = fc.oneof(
      fc.string({ maxLength: 300 }),
      fc.array(words, { maxLength: 60 }).map((list) => list.join(' ')),
    );
    fc.assert(
      fc.property(text, (request) => {
        expect(parseRequest(request).length).toBeGreaterThan(0);
      }),
      { numRuns: 500 },
    );
  });

  it.each([
    '"',
    '`',
    "'",
    'a ',
    'in ',
    'replace a with ',
    '\n',
    'search for x in ',
    ' and then',
    'write a to ',
  ])('is not slowed down by a long run of %j', (piece) => {
    const began = process.cpuUsage();
    parseRequest(`replace ${piece.repeat(200_000)}`);
    parseRequest(piece.repeat(200_000));
    expect(process.cpuUsage(began).user / 1_000).toBeLessThan(2_000);
  });
});
