const SNIFFED_BYTES = 8_192;

const SIGNATURES: readonly (readonly [string, string])[] = [
  ['89504e47', 'PNG image'],
  ['ffd8ff', 'JPEG image'],
  ['47494638', 'GIF image'],
  ['25504446', 'PDF document'],
  ['504b0304', 'ZIP archive'],
  ['1f8b', 'gzip archive'],
  ['28b52ffd', 'Zstandard archive'],
  ['fd377a585a', 'xz archive'],
  ['7f454c46', 'ELF program'],
  ['0061736d', 'WebAssembly module'],
  ['53514c69746520666f726d6174', 'SQLite database'],
  ['fffe', 'UTF-16 text'],
  ['feff', 'UTF-16 text'],
];

/**
 * A text file has no NUL; a file with one near its start is described instead of shown.
 * @param start first bytes of the file
 * @returns undefined for text
 */
export function describeBinary(start: Buffer, size: bigint): string | undefined {
  const sample = start.subarray(0, SNIFFED_BYTES);
  const hex = sample.subarray(0, 16).toString('hex');
  const known = SIGNATURES.find(([signature]) => hex.startsWith(signature))?.[1];
  if (!sample.includes(0) && known !== 'PDF document') return undefined;
  return `[binary file, ${size} bytes${known === undefined ? '' : `, ${known}`}; its bytes are not shown]`;
}
