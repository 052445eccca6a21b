import type { ChangeName, CommandProblem, ObjectKind, ObservedChange, SettledAs } from '@bulkhead/protocol';
import { BulkheadError } from '@bulkhead/protocol';

/** One record of the launcher's control channel; docs/containment.md has the form. */
export type ControlRecord =
  /** The launcher ended the command, because of `code`. */
  | { readonly type: 'stopped'; readonly code: string }
  /** Processes of the command go on; its changes are those up to its end. */
  | { readonly type: 'left' }
  /** The command itself goes on after its call, and has no changes yet. */
  | { readonly type: 'goes-on' }
  /** Their changes up to now can be listed. */
  | { readonly type: 'quiet' }
  /** It can't be listed any more: they have written since. */
  | { readonly type: 'busy' }
  /** Those have ended: what they wrote can be listed. */
  | { readonly type: 'left-ended' }
  /** Their view shows all that had changed in the folder when they were asked. */
  | { readonly type: 'shown' }
  /** A later change of the folder is not in their view. */
  | { readonly type: 'unseen'; readonly problem: CommandProblem }
  /** The command opened a hidden file of the working folder, which was empty to it. */
  | { readonly type: 'opened'; readonly path: Uint8Array }
  | { readonly type: 'ended'; readonly status: number }
  | { readonly type: 'change'; readonly change: ObservedChange }
  | { readonly type: 'target'; readonly target: Uint8Array }
  | { readonly type: 'problem'; readonly problem: CommandProblem }
  | { readonly type: 'note'; readonly problem: CommandProblem }
  | { readonly type: 'effects'; readonly count: number }
  | SettledAs;

const ANSWERS: ReadonlySet<string> = new Set<SettledAs['type']>([
  'committed',
  'dropped',
  'conflict',
  'failed',
  'stuck',
]);

export function isAnswer(record: ControlRecord): record is SettledAs {
  return ANSWERS.has(record.type);
}

const CHANGES: readonly ChangeName[] = ['created', 'changed', 'metadata', 'deleted', 'replaced'];
const KINDS: readonly ObjectKind[] = ['file', 'folder', 'link', 'other', 'missing'];
const SPACE = 0x20;
const OWNER = /^(0|[1-9][0-9]{0,9}):(0|[1-9][0-9]{0,9})$/;
const CODE = /^[a-z][a-z0-9-]{0,40}$/;

/**
 * Reads one record, exactly: no field may be missing, repeated or out of range.
 *
 * @param bytes without the NUL that ends it
 * @throws BulkheadError `protocol_violation`
 */
export function parseControlRecord(bytes: Uint8Array): ControlRecord {
  const fields = new FieldReader(bytes);
  const type = fields.word();
  switch (type) {
    case 'stopped':
      return { type, code: fields.lastCode() };
    case 'ended':
      return { type, status: fields.lastNumber(255) };
    case 'change':
      return { type, change: readChange(fields) };
    case 'target':
      return { type, target: fields.rest() };
    case 'problem':
    case 'note':
    case 'conflict':
    case 'stuck':
    case 'unseen':
      return { type, problem: { code: fields.code(), path: fields.pathOrNothing() } };
    case 'opened':
      return { type, path: fields.path() };
    case 'effects':
      return { type, count: fields.lastNumber() };
    case 'left':
    case 'goes-on':
    case 'quiet':
    case 'busy':
    case 'left-ended':
    case 'shown':
    case 'committed':
    case 'dropped':
      fields.end();
      return { type };
    case 'failed':
      return { type, errno: fields.number(4095), path: fields.pathOrNothing() };
    default:
      throw violation('is of no known type');
  }
}

function readChange(fields: FieldReader): ObservedChange {
  const what = fields.oneOf(CHANGES);
  const kind = fields.oneOf(KINDS);
  const was = fields.oneOf(KINDS);
  const [mode, wasMode] = [fields.number(0o7777), fields.number(0o7777)];
  const [size, wasSize] = [fields.number(), fields.number()];
  const links = fields.number();
  const owners = { now: fields.owner(), was: fields.owner() };
  const isGiven = kind !== 'missing' && was !== 'missing' && owners.now !== owners.was;
  const change = { what, kind, was, mode, wasMode, size, wasSize, links, path: fields.path() };
  return isGiven ? { ...change, owners } : change;
}

/** Fields are separated by one space; the last one may contain spaces. */
class FieldReader {
  readonly #bytes: Uint8Array;
  #at = 0;
  #ended = false;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  word(): string {
    if (this.#ended) throw violation('lacks a field');
    const space = this.#bytes.indexOf(SPACE, this.#at);
    const end = space < 0 ? this.#bytes.length : space;
    const text = Buffer.from(this.#bytes.subarray(this.#at, end)).toString('latin1');
    this.#ended = space < 0;
    this.#at = end + 1;
    return text;
  }

  oneOf<Word extends string>(known: readonly Word[]): Word {
    const text = this.word();
    const found = known.find((word) => word === text);
    if (found === undefined) throw violation('has a word that is not known');
    return found;
  }

  number(most = Number.MAX_SAFE_INTEGER): number {
    const text = this.word();
    const value = Number.parseInt(text, 10);
    if (!/^(0|[1-9][0-9]{0,15})$/.test(text) || value > most)
      throw violation('has a number out of its range');
    return value;
  }

  /** User and group by their numbers. */
  owner(): string {
    const text = this.word();
    if (!OWNER.test(text)) throw violation('has an owner that is none');
    return text;
  }

  lastNumber(most?: number): number {
    const value = this.number(most);
    this.end();
    return value;
  }

  code(): string {
    const text = this.word();
    if (!CODE.test(text)) throw violation('has a code that is none');
    return text;
  }

  lastCode(): string {
    const code = this.code();
    this.end();
    return code;
  }

  rest(): Uint8Array {
    if (this.#ended) throw violation('lacks a field');
    this.#ended = true;
    return Uint8Array.from(this.#bytes.subarray(this.#at));
  }

  /** Relative, without `..`. */
  path(): Uint8Array {
    const path = this.rest();
    if (!leadsDown(path)) throw violation('has a path that does not stay in the working folder');
    return path;
  }

  /** Empty for a record without an object. */
  pathOrNothing(): Uint8Array {
    const path = this.rest();
    if (path.length > 0 && !leadsDown(path))
      throw violation('has a path that does not stay in the working folder');
    return path;
  }

  end(): void {
    if (!this.#ended) throw violation('has a field too many');
  }
}

function leadsDown(path: Uint8Array): boolean {
  const text = Buffer.from(path).toString('latin1');
  if (text === '.') return true;
  return text.split('/').every((name) => name !== '' && name !== '.' && name !== '..');
}

function violation(what: string): BulkheadError {
  return new BulkheadError('protocol_violation', `a record of the launcher ${what}`);
}
