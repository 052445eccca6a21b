const ESC = '\x1b';
const BEL = '\x07';
const ST = `${ESC}\\`;

/** Sequences that control terminals, by family. */
const FAMILIES: Readonly<Record<string, () => readonly string[]>> = {
  cursor: () =>
    [...'ABCDEFGHIZ`abdef'].flatMap((final) => ['', '1', '99', '5;5'].map((n) => `${ESC}[${n}${final}`)),
  erase: () => [...'JKPXLM@'].flatMap((final) => ['', '1', '2', '3', '9'].map((n) => `${ESC}[${n}${final}`)),
  scroll: () => [
    `${ESC}[2S`,
    `${ESC}[2T`,
    `${ESC}[1;3r`,
    `${ESC}D`,
    `${ESC}M`,
    `${ESC}E`,
    `${ESC}7`,
    `${ESC}8`,
    `${ESC}[s`,
    `${ESC}[u`,
  ],
  modes: () =>
    [
      '1',
      '3',
      '5',
      '6',
      '7',
      '9',
      '25',
      '47',
      '1000',
      '1002',
      '1003',
      '1006',
      '1047',
      '1049',
      '2004',
      '2026',
      '8452',
    ].flatMap((mode) => [`${ESC}[?${mode}h`, `${ESC}[?${mode}l`]),
  reports: () =>
    ['5n', '6n', 'c', '>c', '=c', '18t', '14t', '21t', '?6n', '?996n', '0x', '>q'].map(
      (one) => `${ESC}[${one}`,
    ),
  windows: () =>
    ['1t', '2t', '3;1;1t', '4;10;10t', '8;1;1t', '9;1t', '22;0t', '23;0t'].map((one) => `${ESC}[${one}`),
  colours: () =>
    ['0', '1', '5', '7', '8', '31', '41', '91', '38;5;1', '48;2;1;2;3', '4:3'].map((one) => `${ESC}[${one}m`),
  titles: () =>
    ['0', '1', '2', 'l', 'L'].flatMap((code) => [`${ESC}]${code};owned${BEL}`, `${ESC}]${code};owned${ST}`]),
  clipboard: () =>
    ['c', 'p', 's', ''].flatMap((target) =>
      ['b3duZWQ=', '?'].flatMap((data) => [
        `${ESC}]52;${target};${data}${BEL}`,
        `${ESC}]52;${target};${data}${ST}`,
      ]),
    ),
  links: () =>
    ['http://evil.example', 'file:///etc/passwd', 'javascript:1', ''].flatMap((link) => [
      `${ESC}]8;;${link}${ST}click${ESC}]8;;${ST}`,
      `${ESC}]8;id=1;${link}${BEL}click${ESC}]8;;${BEL}`,
    ]),
  system: () =>
    [
      '4;1;rgb:ff/00/00',
      '10;?',
      '11;#ff0000',
      '12;?',
      '104',
      '7;file:///x',
      '9;4;1;50',
      '777;notify;a;b',
      '1337;File=name=YQ==:AA==',
      '133;A',
      '633;A',
    ].flatMap((one) => [`${ESC}]${one}${BEL}`, `${ESC}]${one}${ST}`]),
  device: () =>
    ['+q544e', '$qm', '1000p', 'q"1;1;1;1#0~~', '=1s', '0;1|17/ab'].flatMap((one) => [
      `${ESC}P${one}${ST}`,
      `${ESC}P${one}`,
    ]),
  application: () => [
    `${ESC}_Ga=T,f=100;AAAA${ST}`,
    `${ESC}_pi:c${BEL}`,
    `${ESC}^private${ST}`,
    `${ESC}Xstring${ST}`,
    `${ESC}k title${ST}`,
  ],
  resets: () => [
    `${ESC}c`,
    `${ESC}[!p`,
    `${ESC}#8`,
    `${ESC}(0`,
    `${ESC})0`,
    `${ESC}%G`,
    `${ESC}n`,
    `${ESC}o`,
    `${ESC}=`,
    `${ESC}>`,
    `${ESC}N`,
    `${ESC}O`,
  ],
  c1: () =>
    Array.from({ length: 32 }, (_, at) => String.fromCharCode(0x80 + at)).flatMap((control) => [
      control,
      `${control}31;1m`,
    ]),
  c0: () =>
    Array.from({ length: 32 }, (_, at) => String.fromCharCode(at))
      .filter((control) => !'\n\t'.includes(control))
      .concat('\x7f')
      .flatMap((control) => [control, `ab${control}${control}cd`]),
  direction: () =>
    [
      '\u061c',
      '\u200e',
      '\u200f',
      '\u202a',
      '\u202b',
      '\u202c',
      '\u202d',
      '\u202e',
      '\u2066',
      '\u2067',
      '\u2068',
      '\u2069',
      '\u2028',
      '\u2029',
    ].flatMap((mark) => [mark, `a${mark}dcb${mark}`]),
  entities: () => [
    '&#27;[31m',
    '&#x1b;]0;x&#7;',
    '&#155;31m',
    '&#x202e;',
    '\\u001b[31m',
    '\\x1b[31m',
    '\\033[31m',
    '%1b[31m',
    '$\\char"1B$',
  ],
  markdown: () => [
    `[link](http://a/${ESC}]52;c;eA==${BEL})`,
    `\`${ESC}[2J\``,
    `\n\`\`\`${ESC}[31m\n${ESC}[2Jcode\n\`\`\`\n`,
    `![image](${ESC}_Ga=T;AAAA${ST})`,
    `\n| a${ESC}[9A | b |\n| --- | --- |\n| ${ESC}c | \x9b2J |\n`,
    `\n# ${ESC}]0;heading${BEL}\n`,
    `<b onclick="${ESC}[1A">html</b>`,
    `[x]: http://a "${ESC}[5m"`,
  ],
};

/** Sequences whose beginning also has a one-character form (ECMA-48, 8-bit). */
const SHORT: readonly (readonly [long: string, short: string])[] = [
  [`${ESC}[`, '\x9b'],
  [`${ESC}]`, '\x9d'],
  [`${ESC}P`, '\x90'],
  [ST, '\x9c'],
];

function short(sequence: string): string {
  return SHORT.reduce((text, [long, one]) => text.replaceAll(long, one), sequence);
}

export interface HostileText {
  readonly family: string;
  readonly text: string;
}

/** All of them, with letters around each to detect whether it was swallowed. */
export function hostileTexts(): readonly HostileText[] {
  const shortened = ['erase', 'modes', 'reports', 'titles', 'clipboard', 'links', 'system', 'device'];
  return Object.entries(FAMILIES).flatMap(([family, sequences]) =>
    sequences().flatMap((sequence) => {
      const forms = shortened.includes(family) ? [sequence, short(sequence)] : [sequence];
      return forms.map((form) => ({ family, text: `Q${form}Z` }));
    }),
  );
}
