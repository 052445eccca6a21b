/** One entry of a test archive; not validated. */
export interface TarEntry {
  readonly path: string;
  readonly text?: string;
  /** `0` a file, `1` a hard link, `2` a symbolic link, `3` a device, `5` a folder, … */
  readonly kind?: string;
  readonly link?: string;
  readonly mode?: number;
  /** The size in the header, if not the length of the text. */
  readonly size?: number;
}

/** Returns a tar archive with exactly these entries, even invalid ones. */
export function makeTar(entries: readonly TarEntry[]): Buffer {
  return Buffer.concat([...entries.map(entryOf), Buffer.alloc(1_024)]);
}

function entryOf({ path, text = '', kind = '0', link = '', mode = 0o644, size }: TarEntry): Buffer {
  const content = Buffer.from(text);
  const header = Buffer.alloc(512);
  header.write(path.slice(0, 100), 0);
  header.write(octal(mode, 7), 100);
  header.write(octal(size ?? content.length, 11), 124);
  header.write(octal(0, 11), 136);
  header.write(kind, 156);
  header.write(link, 157);
  header.write('ustar\0', 257);
  header.write('00', 263);
  header.fill(' ', 148, 156);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${octal(sum, 6)}\0 `, 148);
  return Buffer.concat([header, content, Buffer.alloc((512 - (content.length % 512)) % 512)]);
}

function octal(value: number, digits: number): string {
  return value.toString(8).padStart(digits, '0');
}
