import type { JsonValue, ScalarType } from '@bufbuild/protobuf';

/** How values of some scalar types appear in a message and in JSON. */
interface ScalarKind {
  /** The value of an unset field. */
  initial(): unknown;
  /** Undefined for an invalid value. */
  read(json: unknown): unknown;
  write(value: unknown): JsonValue;
}

const NUMBER: ScalarKind = {
  initial: () => 0,
  read: (json) => (typeof json === 'number' || typeof json === 'string' ? Number(json) : undefined),
  write: (value) => (Number.isFinite(value) ? Number(value) : String(value)),
};
/** A JSON number is not exact for 64 bits. */
const LONG: ScalarKind = {
  initial: () => 0n,
  read: (json) => (/^-?\d{1,20}$/.test(String(json)) ? BigInt(String(json)) : undefined),
  write: String,
};
const TEXT: ScalarKind = {
  initial: () => '',
  read: (json) => (typeof json === 'string' ? json : undefined),
  write: String,
};
const BOOL: ScalarKind = {
  initial: () => false,
  read: (json) => (typeof json === 'boolean' ? json : undefined),
  write: (value) => value === true,
};
const BYTES: ScalarKind = {
  initial: () => new Uint8Array(),
  read: (json) => (typeof json === 'string' ? bytesOf(json) : undefined),
  write: (value) => (value instanceof Uint8Array ? base64Of(value) : ''),
};

/** By number of the type. */
const KINDS: ReadonlyMap<ScalarType | undefined, ScalarKind> = new Map([
  [1, NUMBER],
  [3, LONG],
  [4, LONG],
  [5, NUMBER],
  [8, BOOL],
  [9, TEXT],
  [12, BYTES],
  [13, NUMBER],
]);

/** @throws Error if the contract uses an unknown type */
export function scalarKind(type: ScalarType | undefined): ScalarKind {
  const kind = KINDS.get(type);
  if (kind === undefined) throw new Error(`The web UI can't read values of type ${type}.`);
  return kind;
}

function bytesOf(base64: string): Uint8Array | undefined {
  try {
    return Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
  } catch {
    return undefined;
  }
}

/** In pieces, because a call has a limited number of arguments. */
function base64Of(bytes: Uint8Array): string {
  const pieces: string[] = [];
  for (let at = 0; at < bytes.length; at += 0x8000)
    pieces.push(String.fromCharCode(...bytes.subarray(at, at + 0x8000)));
  return btoa(pieces.join(''));
}
