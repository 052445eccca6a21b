/** Shorter secrets would occur in ordinary text, in characters. */
const LEAST_PLAIN = 6;
const LEAST_ENCODED = 8;

/** Line breaks with the indentation after them: searched text may have them anywhere. */
const BREAKS = /[\r\n]+[ \t]*/g;

/**
 * Returns the forms in which a secret is searched: as written, base64 in each of its three
 * alignments and both alphabets, hex, URL-encoded, and escaped as in JSON, HTML and a shell's
 * single quotes. Without line breaks.
 */
export function valueForms(value: string): readonly string[] {
  const plain = value.trim();
  if (plain.replaceAll(BREAKS, '').length < LEAST_PLAIN) return [];
  const bytes = Buffer.from(plain, 'utf8');
  const hex = bytes.toString('hex');
  const encoded = [
    // Bytes read as characters.
    bytes.toString('latin1'),
    ...base64Forms(bytes),
    hex,
    hex.toUpperCase(),
    ...percentForms(plain),
    ...jsonForms(plain),
    plain.replaceAll(/[&<>"']/g, (character) => HTML[character] ?? character),
    plain.replaceAll("'", `'\\''`),
  ];
  const forms = [
    plain.replaceAll(BREAKS, ''),
    ...encoded.map((form) => form.replaceAll(BREAKS, '')).filter((form) => form.length >= LEAST_ENCODED),
  ];
  return [...new Set(forms)];
}

const HTML: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Without the characters at either end that also depend on neighbouring text. */
function base64Forms(bytes: Buffer): string[] {
  return [0, 1, 2].flatMap((shift) => {
    const text = Buffer.concat([Buffer.alloc(shift), bytes]).toString('base64');
    const form = text.slice(Math.ceil((shift * 8) / 6), Math.floor(((shift + bytes.length) * 8) / 6));
    return [form, form.replaceAll('+', '-').replaceAll('/', '_')];
  });
}

function percentForms(plain: string): string[] {
  const form = encodeURIComponent(plain.toWellFormed());
  const everything = Array.from(
    Buffer.from(plain, 'utf8'),
    (byte) => `%${byte.toString(16).padStart(2, '0')}`,
  );
  return [form, form.replaceAll('%20', '+'), everything.join('')].flatMap((one) => [
    one,
    one.replaceAll(/%[\da-fA-F]{2}/g, (code) => code.toUpperCase()),
    one.replaceAll(/%[\da-fA-F]{2}/g, (code) => code.toLowerCase()),
  ]);
}

function jsonForms(plain: string): string[] {
  const form = JSON.stringify(plain).slice(1, -1);
  const ascii = form.replaceAll(
    /[^\x20-\x7e]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  // A JSON string inside of a JSON string.
  return [form, form.replaceAll('/', '\\/'), ascii, JSON.stringify(form).slice(1, -1)];
}
