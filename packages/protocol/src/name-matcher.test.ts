import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CONFUSABLE_CHARACTERS } from './confusable-characters.ts';
import { foldName } from './fold-name.ts';
import { nameMatcher } from './name-matcher.ts';
import { pathRefusal } from './protected-names.ts';

const isGit = nameMatcher(['.git']);

/** Every spelling of a character that folding must undo. */
const disguises = new Map<string, string[]>();
for (const [plain, codes] of Object.entries(CONFUSABLE_CHARACTERS)) {
  const characters = codes.split(' ').map((code) => String.fromCodePoint(Number.parseInt(code, 16)));
  disguises.set(plain, [...(disguises.get(plain) ?? []), ...characters]);
}
for (const plain of 'abcdefghijklmnopqrstuvwxyz0123456789._-') {
  const wide = String.fromCodePoint((plain.codePointAt(0) ?? 0) + 0xfee0);
  disguises.set(plain, [plain, plain.toUpperCase(), wide, ...(disguises.get(plain) ?? [])]);
}
const invisible = fc.constantFrom(
  '',
  '',
  '',
  '\u200b',
  '\u200c',
  '\u2060',
  '\ufeff',
  '\u034f',
  '\u115f',
  '\u180b',
  '\ufe0f',
  '\u0301',
  '\u{e0067}',
);

function disguised(name: string): fc.Arbitrary<string> {
  const characters = [...name].map((plain) =>
    fc.tuple(fc.constantFrom(...(disguises.get(plain) ?? [plain])), invisible),
  );
  return fc
    .tuple(fc.tuple(...characters), fc.constantFrom('', '.', ' ', '...', '. .'))
    .map(([parts, end]) => parts.flat().join('') + end);
}

describe('foldName', () => {
  it.each([
    ['.Env', '.env'],
    ['ＩＤ_rsa', 'id_rsa'],
    ['a. .', 'a'],
    ['x\u00ady\u202ez\u0001', 'xyz'],
    ['.еnv', '.env'],
    ['.ɢɪᴛ', '.git'],
    ['.gıt', '.git'],
    ['.GİT', '.git'],
    ['.\u212aube', '.kube'],
    ['.aw\u017f', '.aws'],
    ['.paßword', '.password'],
    ['.git\uf029', '.git'],
    ['🅰🅱', 'ab'],
    ['ﬁle', 'file'],
    ['.e\u0301nv', '.env'],
    ['.\u00e9nv', '.env'],
    ['日本', '日本'],
  ])('folds %j to %j [FT12]', (name, folded) => {
    expect(foldName(name)).toBe(folded);
  });
});

describe('protected names in disguise', () => {
  it.each(['.env', '.netrc', 'id_rsa', 'id_ed25519', '.git-credentials', '.npmrc', '.pgpass'])(
    'are protected however they are written: %s [A2] [FT12]',
    (name) => {
      fc.assert(
        fc.property(disguised(name), (text) => {
          expect(pathRefusal([text], 'read')?.rule).toBe('credentials');
        }),
        { numRuns: 2_000 },
      );
    },
  );

  it.each(['.ssh', '.aws', '.gnupg', '.kube', '.docker', '.password-store'])(
    'are protected as folders however they are written: %s [A2] [FT12]',
    (name) => {
      fc.assert(
        fc.property(disguised(name), (text) => {
          expect(pathRefusal([text, 'x'], 'read')?.rule).toBe('credentials');
        }),
        { numRuns: 1_000 },
      );
    },
  );

  it.each(['.git', '.bulkhead'])('are not written to however they are written: %s [A2] [FT12]', (name) => {
    fc.assert(
      fc.property(disguised(name), (text) => {
        expect(pathRefusal(['sub', text, 'config'], 'write')?.rule).toBe('executed-later');
      }),
      { numRuns: 1_000 },
    );
  });

  it('tries each single look-alike of the whole table [FT12]', () => {
    const known =
      '.env .netrc .npmrc .pypirc .pgpass .htpasswd .git-credentials id_rsa id_ecdsa id_ed25519'.split(' ');
    let tried = 0;
    for (const name of known) {
      for (const [at, plain] of [...name].entries()) {
        for (const other of disguises.get(plain) ?? []) {
          tried += 1;
          const text = name.slice(0, at) + other + name.slice(at + 1);
          expect(pathRefusal([text], 'read')?.rule, text).toBe('credentials');
        }
      }
    }
    expect(tried).toBeGreaterThan(2_000);
  });
});

describe('names of other systems', () => {
  it.each([
    'GIT~1',
    'git~2',
    'gi7eba~1',
    '.git::$INDEX_ALLOCATION',
    '.git:x',
    'sub\\.git',
    '.git. .',
    '.git\u200d',
  ])('%s may be .git elsewhere [FT12]', (name) => {
    expect(isGit(name)).toBe(true);
  });

  it.each([
    ['ENV~1', 'read'],
    ['ENV~1.PRO', 'read'],
    ['ID_RSA~1', 'read'],
    ['GIT-CR~1', 'read'],
    ['MY~1.CNF', 'read'],
    ['SERVER~1.PEM', 'read'],
    ['SSH~1', 'read'],
    ['BULKHE~1', 'write'],
    ['.env::$DATA', 'read'],
    ['key.pem:a', 'read'],
  ] as const)('%s is not opened (%s) [FT12]', (name, access) => {
    expect(pathRefusal([name], access)).toBeDefined();
  });
});

describe('ordinary names', () => {
  it.each([
    'git',
    'github',
    '.github',
    '.gitignore',
    '.gitkeep',
    'env',
    'env.ts',
    'environment',
    '.environment',
    '.envoy',
    'keys.ts',
    'monkey',
    'key',
    'pem',
    'ssh',
    'docker',
    'dockerfile',
    'Dockerfile',
    '.dockerignore',
    'aws.ts',
    'id_rsa.pub',
    'netrc.md',
    'npm',
    '.npmignore',
    'bulkhead',
    '.bulkhead.md',
    'my~1.txt',
    'report~1.doc',
    'a:b',
    'C:\\x',
    '文件.txt',
    'файл.txt',
    'ключ.md',
    'Ελληνικά',
    'مفتاح',
    'मुख्य',
    'ß.txt',
    'Größe.md',
    'naïve.py',
    '.gît-notes',
    '1.txt',
    'file~',
    '#a#',
    '...',
    '..a',
    '~',
    'keyboard.key.ts',
    '.env.example',
    '.env.sample',
    'жест.ts',
    '.htaccess',
  ])('%s is read and written [FT12]', (name) => {
    expect(pathRefusal([name], 'read')).toBeUndefined();
    expect(pathRefusal([name], 'write')).toBeUndefined();
  });

  it('made of words, in any script, are left alone [FT12]', () => {
    const word = fc.constantFrom(
      ...'src main index test config util app page view model user data git env key secret ssh readme build данные тест'.split(
        ' ',
      ),
      ...'ключ 设置 鍵 キー 환경 ρυθμίσεις مفتاح פתח การ परीक्षा größe über naïve señor été Ünïted'.split(' '),
    );
    const ending = fc.constantFrom('', '.ts', '.md', '.json', '.py', '.tar.gz', '.keys', '.environment');
    const name = fc
      .tuple(fc.array(word, { minLength: 1, maxLength: 4 }), fc.constantFrom('', '-', '_', ' '), ending)
      .map(([words, joint, end]) => words.join(joint) + end);
    fc.assert(
      fc.property(fc.array(name, { minLength: 1, maxLength: 4 }), (names) => {
        expect(pathRefusal(names, 'write')).toBeUndefined();
      }),
      { numRuns: 5_000 },
    );
  });

  it('of any characters fold to what no invisible character is left in', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 30 }), (name) => {
        expect(foldName(name)).not.toMatch(/[\p{Cc}\p{Cf}\p{M}\p{Default_Ignorable_Code_Point}]/u);
      }),
      { numRuns: 5_000 },
    );
  });
});
