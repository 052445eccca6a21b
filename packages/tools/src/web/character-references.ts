/** Names of the characters from U+00A0 on, in order (HTML 4, Latin 1). */
const LATIN_1 =
  'nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro ' +
  'para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil ' +
  'Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave ' +
  'Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml ' +
  'igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute ' +
  'thorn yuml';
/** From U+0391 on; `-` where there is none. */
const GREEK =
  'Alpha Beta Gamma Delta Epsilon Zeta Eta Theta Iota Kappa Lambda Mu Nu Xi Omicron Pi Rho - Sigma Tau Upsilon Phi Chi ' +
  'Psi Omega - - - - - - - alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho ' +
  'sigmaf sigma tau upsilon phi chi psi omega';

const NAMED: ReadonlyMap<string, string> = new Map([
  ...inOrder(LATIN_1, 0xa0),
  ...inOrder(GREEK, 0x391),
  ...Object.entries({
    amp: '&',
    lt: '<',
    gt: '>',
    quot: '"',
    apos: "'",
    AMP: '&',
    LT: '<',
    GT: '>',
    QUOT: '"',
    OElig: 'Œ',
    oelig: 'œ',
    Scaron: 'Š',
    scaron: 'š',
    ensp: ' ',
    emsp: ' ',
    thinsp: ' ',
    ndash: '–',
    mdash: '—',
    lsquo: '‘',
    rsquo: '’',
    sbquo: '‚',
    ldquo: '“',
    rdquo: '”',
    bdquo: '„',
    dagger: '†',
    bull: '•',
    hellip: '…',
    permil: '‰',
    prime: '′',
    lsaquo: '‹',
    rsaquo: '›',
    euro: '€',
    trade: '™',
    larr: '←',
    uarr: '↑',
    rarr: '→',
    darr: '↓',
    harr: '↔',
    minus: '−',
    radic: '√',
    infin: '∞',
    asymp: '≈',
    ne: '≠',
    le: '≤',
    ge: '≥',
    sum: '∑',
    check: '✓',
    star: '☆',
    lbrace: '{',
    rbrace: '}',
    lbrack: '[',
    rbrack: ']',
    num: '#',
    percnt: '%',
    ast: '*',
    colon: ':',
    semi: ';',
    comma: ',',
    period: '.',
    sol: '/',
    bsol: '\\',
    lowbar: '_',
    hyphen: '‐',
    vert: '|',
    Tab: '\t',
    NewLine: '\n',
  }),
]);

const REFERENCE = /&(?:#(\d{1,8})|#[xX]([0-9a-fA-F]{1,7})|([A-Za-z][A-Za-z0-9]{1,31}));?/g;

/** Puts characters in place of `&amp;`, `&#8364;` and the like. Names that are not known stay as they are. */
export function decodeReferences(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(REFERENCE, (whole, decimal?: string, hex?: string, name?: string) => {
    if (name !== undefined) return NAMED.get(name) ?? whole;
    return character(decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal));
  });
}

function character(point: number): string {
  // Numbers of Windows' character set, which the standard reads as such.
  if (point >= 0x80 && point <= 0x9f) return new TextDecoder('windows-1252').decode(Uint8Array.of(point));
  const none = point === 0 || point > 0x10_ff_ff || (point >= 0xd800 && point <= 0xdfff);
  return none ? '\ufffd' : String.fromCodePoint(point);
}

function inOrder(names: string, first: number): readonly (readonly [string, string])[] {
  return names.split(' ').map((name, index) => [name, String.fromCodePoint(first + index)]);
}
