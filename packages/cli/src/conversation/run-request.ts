import { accessSync, constants, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { type ApprovalMode, BulkheadError } from '@bulkhead/protocol';
import type { ParsedArguments } from '../arguments/parse-arguments.ts';
import { unreadable } from '../arguments/unreadable.ts';
import { isModelName } from './model-name.ts';

/** A `run`, checked as far as possible without an engine. */
export interface RunRequest {
  /** `-` for standard input. */
  readonly prompt: string;
  readonly json: boolean;
  /** Undefined for a new session. */
  readonly session: string | undefined;
  /** Continue the last session of the working folder. */
  readonly last: boolean;
  readonly approve: ApprovalMode;
  readonly model: string;
  readonly baseUrl: string;
  /** 0 for the engine's own limit. */
  readonly maxRounds: number;
  /** Absolute path. */
  readonly workingFolder: string;
  readonly isolated: boolean;
  /** An engine that this call starts uses no sandbox. */
  readonly insecureNoSandbox: boolean;
  /** True for a session that is not written to disk. */
  readonly offTheRecord: boolean;
  /** Actions with effects are described and not executed. */
  readonly dryRun: boolean;
  /** Absolute paths of the prompt's images. */
  readonly images: readonly string[];
}

/**
 * @param person true if a person can be asked
 * @throws BulkheadError `usage`
 */
export function runRequest(args: ParsedArguments, cwd: string, person: boolean): RunRequest {
  const session = args.value('session');
  if (session !== undefined && args.value('cwd') !== undefined) {
    throw usage('--cwd and --session exclude each other: a session keeps the folder it was made with');
  }
  const last = args.flag('continue');
  refuseBoth(session, last);
  const json = args.flag('json');
  return {
    prompt: promptOf(args.words),
    json,
    session,
    last,
    approve: approvalMode(args.value('approve'), person, json),
    model: modelOf(args.value('model')),
    baseUrl: baseUrlOf(args.value('base-url')),
    maxRounds: maxRoundsOf(args.value('max-rounds')),
    workingFolder: readableFolder(resolve(cwd, args.value('cwd') ?? '.')),
    isolated: args.flag('isolated'),
    insecureNoSandbox: args.flag('insecure-no-sandbox'),
    offTheRecord: args.flag('otr'),
    dryRun: args.flag('dry-run'),
    images: args.all('image').map((path) => resolve(cwd, path)),
  };
}

/** @throws BulkheadError `usage` */
export function refuseBoth(session: string | undefined, last: boolean): void {
  if (session !== undefined && last) throw usage('--session and --continue exclude each other');
}

function promptOf(words: readonly string[]): string {
  const prompt = words.join(' ');
  if (prompt.trim() !== '') return prompt;
  throw usage('there is no prompt', 'Use `bulkhead run "your question"`, or `-` to read standard input.');
}

/**
 * Approvals need someone to answer: a person at the terminal, or a program that reads the event
 * lines.
 */
export function approvalMode(option: string | undefined, person: boolean, json: boolean): ApprovalMode {
  switch (option) {
    case undefined:
      return person ? 'ask' : 'deny';
    case 'deny':
      return 'deny';
    case 'allow':
      return 'allow';
    case 'ask':
      return person || json ? 'ask' : 'deny';
    default:
      throw usage(`--approve is deny, ask or allow, not "${option}"`);
  }
}

/** @returns empty for the configured model. @throws BulkheadError `usage` */
export function modelOf(value: string | undefined): string {
  if (value === undefined || isModelName(value)) return value ?? '';
  throw usage(
    `--model is PROVIDER/MODEL, not "${value}"`,
    'For example offline/rules, or anthropic/ and the name of a model.',
  );
}

function baseUrlOf(value: string | undefined): string {
  if (value === undefined) return '';
  const protocol = URL.canParse(value) ? new URL(value).protocol : '';
  if (protocol === 'http:' || protocol === 'https:') return value;
  throw usage(`--base-url is an http or https address, not "${value}"`);
}

function maxRoundsOf(value: string | undefined): number {
  if (value === undefined) return 0;
  const rounds = /^\d{1,6}$/.test(value) ? Number(value) : 0;
  if (rounds > 0) return rounds;
  throw usage(`--max-rounds is a whole number from 1, not "${value}"`);
}

/** @throws BulkheadError `usage` unless `path` is a folder this user may read */
export function readableFolder(path: string): string {
  try {
    if (statSync(path).isDirectory()) {
      accessSync(path, constants.R_OK | constants.X_OK);
      return path;
    }
  } catch (cause) {
    throw unreadable(`the working folder ${path}`, cause, 'Name another one with --cwd.');
  }
  throw usage(`the working folder ${path} is not a folder`, 'Name another one with --cwd.');
}

function usage(message: string, fix = 'See `bulkhead run --help`.'): BulkheadError {
  return new BulkheadError('usage', message, { fix });
}
