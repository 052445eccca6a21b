/** Folders and commands of random steps, equal for equal seeds. */

type Pick = <Value>(values: readonly Value[]) => Value;

/** A small multiplicative generator (Lehmer, modulus 2^31 - 1): same numbers everywhere. */
function picker(seed: number): Pick {
  let state = (seed * 48_271 + 11) % 2_147_483_647;
  return (values) => {
    state = (state * 48_271) % 2_147_483_647;
    const value = values[state % values.length];
    if (value === undefined) throw new Error('nothing to pick from');
    return value;
  };
}

const FOLDERS = ['a', 'a/b', 'a/b/c', 'd', 'd/.git', 'd/.git/hooks', 'e f', 'g'] as const;
const NAMES = ['one', 'two', 'three', '.hidden', 'sp ace', 'new\nline', 'ünï'] as const;

const quoted = (text: string): string => `$'${text.replaceAll('\n', '\\n')}'`;

/** Shell lines that fill an empty folder. */
export function randomTree(seed: number): string {
  const pick = picker(seed);
  const lines = FOLDERS.map((folder) => `mkdir -p '${folder}'`);
  for (let count = 0; count < 14; count++) lines.push(create(pick));
  return lines.join('\n');
}

/** Shell lines that change such a folder in up to nine ways; some do nothing, some fail. */
export function randomCommand(seed: number): string {
  const pick = picker(seed + 7_919);
  const lines: string[] = [];
  const count = pick([1, 2, 3, 5, 9]);
  while (lines.length < count) lines.push(pick(STEPS)(pick));
  return lines.join('\n');
}

const somewhere = (pick: Pick): string => quoted(`${pick(['.', ...FOLDERS])}/${pick(NAMES)}`);
const folder = (pick: Pick): string => quoted(pick(FOLDERS));
const text = (pick: Pick): string => pick(['x', 'some text', '', 'y'.repeat(5_000)]);

function create(pick: Pick): string {
  return `printf %s '${text(pick)}' > ${somewhere(pick)}`;
}

const STEPS: readonly ((pick: Pick) => string)[] = [
  create,
  (pick) => `printf %s '${text(pick)}' >> ${somewhere(pick)}`,
  (pick) => `rm -f ${somewhere(pick)}`,
  (pick) => `rm -rf ${folder(pick)}`,
  (pick) => `rm -rf ${folder(pick)}; mkdir -p ${folder(pick)}; ${create(pick)}`,
  (pick) => `chmod ${pick(['600', '755', '444', '700'])} ${somewhere(pick)}`,
  (pick) => `chmod ${pick(['700', '755', '711'])} ${folder(pick)}`,
  // Only root may: for other users both attempts fail.
  (pick) => `chown ${pick(['12:34', '0:34', '12:0'])} ${folder(pick)}`,
  (pick) => `chown -h ${pick(['12:34', '0:34'])} ${somewhere(pick)}`,
  (pick) => `mv -f ${somewhere(pick)} ${somewhere(pick)}`,
  // Links are not copied as links: an overlay shows two names of an existing file as two files.
  (pick) => `from=${folder(pick)}; cp -a --no-preserve=links "$from" 'moved' && rm -rf "$from"`,
  (pick) => `mkdir -p fresh/x; ${create(pick)}; mv fresh ${quoted(pick(['a/moved', 'g/x', 'gone']))}`,
  (pick) => `ln -sfn ${pick(['one', '../two', '/etc/passwd', 'nowhere'])} ${somewhere(pick)}`,
  (pick) => `ln -f ${somewhere(pick)} ${somewhere(pick)}`,
  (pick) => `cp -a --no-preserve=links ${folder(pick)} ${quoted(pick(['copy', 'another copy']))}`,
  (pick) =>
    `rm -f ${somewhere(pick)}; mkdir -p ${somewhere(pick)}/deep/er; touch ${somewhere(pick)}/deep/er/z`,
  (pick) => `truncate -s ${pick(['3', '0', '1M', '70000'])} ${somewhere(pick)}`,
  (pick) =>
    `mkdir -p ${folder(pick)}/.git/hooks; printf '#!/bin/sh' > ${folder(pick)}/.git/hooks/pre-commit; chmod +x ${folder(pick)}/.git/hooks/pre-commit`,
  (pick) => `touch ${somewhere(pick)}`,
  (pick) => `sed -i 's/x/zz/' ${somewhere(pick)}`,
];
