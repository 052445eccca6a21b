import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { parse } from 'unbash';
import { describe, expect, it } from 'vitest';
import { createBudget, DEFAULT_LIMITS } from '../shell/budget.ts';
import { literal, type Text } from '../shell/text.ts';
import { expandFields } from './expand-word.ts';
import type { WordContext } from './word-context.ts';

const VARIABLES: Readonly<Record<string, string>> = {
  a: 'one',
  b: 'two words',
  c: '/x/y.tar.gz',
  n: '7',
  e: '',
};

function context(): WordContext {
  const variables = new Map(Object.entries(VARIABLES).map(([name, value]) => [name, literal(value)]));
  return {
    budget: createBudget(DEFAULT_LIMITS),
    home: '/home/ada',
    variable: (name): Text => variables.get(name) ?? literal(name === 'IFS' ? ' \t\n' : ''),
    elements: () => undefined,
    assign: (name, value) => variables.set(name, value),
    substitute: () => literal('sub'),
    process: () => literal('/dev/fd/9'),
    evaluate: () => undefined,
  };
}

function expand(words: string): readonly string[] {
  const command = parse(`: ${words}`).commands[0]?.command;
  if (command?.type !== 'Command') return [];
  const shared = context();
  return command.suffix
    .flatMap((word) => (word.type === 'Word' ? expandFields(word, shared) : []))
    .map(({ text }) => text);
}

/** Fields as bash expands them: runs nothing but `printf`. */
function bash(words: string): readonly string[] {
  const setting = Object.entries(VARIABLES)
    .map(([name, value]) => `${name}='${value}'`)
    .join(' ');
  const script = `set -f; ${setting}; set -- ${words}; [ $# -eq 0 ] || printf '%s\\0' "$@"`;
  const environment = { HOME: '/home/ada', PATH: '/usr/bin:/bin', LC_ALL: 'C.UTF-8' };
  const output = execFileSync('bash', ['--norc', '--noprofile', '-c', script], {
    env: environment,
    timeout: 10_000,
  });
  return output.toString('utf8').split('\0').slice(0, -1);
}

/** One per line. */
const PIECES = `
x
rm
/etc/
-rf
$a
"$a"
$b
"$b"
'$a'
\${a}
\${e}
"$e"
\${e:-none}
\${a:+set}
\${a/o/0}
\${b// /_}
\${c##*/}
\${c%.*}
\${c%%.*}
\${c#*/}
\${a^^}
\${a^}
\${b:0:3}
\${b:4}
\${#b}
$((1+2))
$((n*2))
$((n-10))
$'\\x41\\102\\n'
$'a\\tb'
\\$a
\\ 
"\\$a"
{p,q}
{1..3}
{a..c}
{p,{q,r}}
{x}
~/d
"~"
''
""
=
:
{05..07}
{3..1}
{1..9..4}
\${a@U}
`
  .split('\n')
  .filter((line) => line !== '');

describe('words are expanded as bash does', () => {
  it('in all single pieces and pairs of them [FT17]', () => {
    const cases = PIECES.flatMap((first) => [first, ...PIECES.map((second) => `${first}${second}`)]);
    const groups = Array.from({ length: Math.ceil(cases.length / 200) }, (_, index) =>
      cases.slice(index * 200, index * 200 + 200),
    );
    for (const group of groups) {
      const ours = group.flatMap((words) => [...expand(words), '|']);
      const theirs = bash(group.map((words) => `${words} '|'`).join(' '));
      expect(ours).toEqual(theirs);
    }
  });

  it('in tildes, save that another user is taken to have a home [FT17]', () => {
    const words = '~ ~/d ~$a ~"x" "~"/d ~/"d" ~/$a a~ ~/d';
    expect(expand(words)).toEqual(bash(words));
    expect(expand('~root/x ~bob/x')).toEqual(['/root/x', '/home/bob/x']);
  });

  it('in random words [FT17]', () => {
    const word = fc
      .array(fc.constantFrom(...PIECES), { minLength: 1, maxLength: 5 })
      .map((pieces) => pieces.join(''));
    fc.assert(
      fc.property(fc.array(word, { minLength: 1, maxLength: 40 }), (words) => {
        expect(expand(words.join(' '))).toEqual(bash(words.join(' ')));
      }),
      { numRuns: 15 },
    );
  });
});
