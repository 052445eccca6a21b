import { lstatSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeFetchFolder } from '@bulkhead/home/folder/fetch-folder';
import { BulkheadError, type HomeLayout } from '@bulkhead/protocol';
import { addressOf, type GitAddress } from './git-address.ts';
import { fetchFailed, noFolder, noSkill } from './git-failure.ts';
import { type GitPlace, runGit } from './run-git.ts';

/** Limits of a fetch. */
export const FETCH_LIMITS = {
  /** Of the repository as it is sent. */
  bytes: 256 * 1024 * 1024,
  milliseconds: 120_000,
  /** Before the first word about progress, and between two. */
  quietMilliseconds: 2_000,
  lookMilliseconds: 200,
} as const;

/** More files than anybody looks through for a skill: some 80,000 names. Also what keeps a tree of trees from being unfolded. */
const MAX_LISTING = 8 * 1024 * 1024;
/** As the engine reads: 32 MiB of files and their headers. */
const MAX_ARCHIVE = 36 * 1024 * 1024;
const MAX_WORDS = 64 * 1024;

/** Files come as they are in the repository: no end of line, key word, encoding or filter is applied, and nothing is left out. */
const NO_ATTRIBUTES = '* -text -ident -filter -working-tree-encoding -export-ignore -export-subst !eol\n';

/** A skill that was fetched: an archive in a private folder, gone when this is disposed. */
export interface FetchedSkill extends Disposable {
  /** Absolute path of the archive. */
  readonly archive: string;
  /** The address with the commit for its ref: gives the same bytes again. */
  readonly fetchedFrom: string;
  readonly leftOut: readonly string[];
}

export interface FetchOptions {
  /** Where it is fetched to: the next start clears what a killed process leaves there. */
  readonly layout: HomeLayout;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Ends it; its reason is a BulkheadError. */
  readonly signal: AbortSignal;
  readonly tell: (line: string) => void;
  readonly limits?: { readonly [Name in keyof typeof FETCH_LIMITS]: number };
}

/**
 * Fetches one commit of a repository and packs the folder of a skill. Nothing is checked out: no
 * name, link, filter or hook of the repository reaches the disk. The result is a tar archive, which
 * is judged like any other [FT66].
 *
 * @throws BulkheadError `not_available`, `not_found`, `unauthenticated`, `timeout`; `blocked` for
 * too much; `config_invalid` if there is no skill; the reason of `options.signal`. Then nothing
 * stays on the disk
 */
export async function fetchSkill(address: GitAddress, options: FetchOptions): Promise<FetchedSkill> {
  options.signal.throwIfAborted();
  const folder = makeFetchFolder(options.layout);
  const remove = () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  try {
    const repository = join(folder, 'repository');
    mkdirSync(repository, { mode: 0o700 });
    using watched = watch(repository, address, options);
    const { scheme } = address;
    const place: GitPlace = { folder: repository, scheme, env: options.env, signal: watched.signal };
    const commit = await fetchCommit(place, address);
    // A fast one ends between two looks.
    watched.look();
    place.signal.throwIfAborted();
    const leftOut = await checkTree(place, address, commit);
    const archive = join(folder, 'skill.tar');
    writeFileSync(archive, await packed(place, address, commit), { mode: 0o600, flag: 'wx' });
    rmSync(repository, { recursive: true, force: true, maxRetries: 3 });
    return { archive, fetchedFrom: addressOf(address, commit), leftOut, [Symbol.dispose]: remove };
  } catch (cause) {
    remove();
    throw cause;
  }
}

/** @returns the hash of the commit, which is in the repository now */
async function fetchCommit(place: GitPlace, address: GitAddress): Promise<string> {
  const { url, ref } = address;
  await own(place, ['init', '--quiet', '--bare', '--template=', '--', place.folder]);
  mkdirSync(join(place.folder, 'info'), { recursive: true, mode: 0o700 });
  writeFileSync(join(place.folder, 'info', 'attributes'), NO_ATTRIBUTES, { mode: 0o600 });
  const fetch = (depth: readonly string[]) =>
    inside(place, ['fetch', '--quiet', '--no-tags', '--no-recurse-submodules', ...depth, '--', url, ref]);
  let answer = await fetch(['--depth=1']);
  // A plain file server can't pack one commit; what it has is bounded all the same.
  if (answer.code !== 0 && answer.err.includes('dumb http transport')) answer = await fetch([]);
  if (answer.code !== 0) throw fetchFailed(address, answer.err);
  const parsed = await inside(place, ['rev-parse', '--verify', '--quiet', 'FETCH_HEAD^{commit}']);
  const commit = parsed.out.toString('latin1').trim();
  if (parsed.code === 0 && /^[0-9a-f]{40,64}$/.test(commit)) return commit;
  throw fetchFailed(address, "couldn't find remote ref");
}

/**
 * Before anything is unfolded: the list of names is bounded.
 *
 * @returns what is no part of the skill, and why
 */
async function checkTree(place: GitPlace, address: GitAddress, commit: string): Promise<string[]> {
  const tree = `${commit}:${address.path}`;
  const { code, out } = await inside(place, ['ls-tree', '-r', '-t', '-z', tree], MAX_LISTING);
  if (code !== 0) throw noFolder(address, commit);
  const entries = out.toString('utf8').split('\0').slice(0, -1);
  const paths = entries.map((entry) => entry.slice(entry.indexOf('\t') + 1));
  if (!paths.includes('SKILL.md')) {
    const above = address.path === '' ? '' : `${address.path}/`;
    const found = paths.filter((path) => path.endsWith('/SKILL.md'));
    throw noSkill(
      address,
      found.map((path) => `${above}${path.slice(0, -'/SKILL.md'.length)}`),
    );
  }
  return paths.flatMap((path, at) =>
    entries[at]?.startsWith('160000 ') === true ? [`${path} (a submodule: another repository)`] : [],
  );
}

async function packed(place: GitPlace, { path }: GitAddress, commit: string): Promise<Buffer> {
  const { out } = await own(place, ['archive', '--format=tar', `${commit}:${path}`], MAX_ARCHIVE);
  return out;
}

function inside(place: GitPlace, args: readonly string[], maxOutput = MAX_WORDS) {
  return runGit(place, ['--git-dir', place.folder, ...args], maxOutput);
}

/** For what fails only if git or the disk does. */
async function own(place: GitPlace, args: readonly string[], maxOutput = MAX_WORDS) {
  const answer = await (args[0] === 'init' ? runGit(place, args, maxOutput) : inside(place, args, maxOutput));
  if (answer.code === 0) return answer;
  throw new BulkheadError('not_available', `git ${args[0]} failed: ${answer.err.slice(0, 300).trim()}`, {
    fix: 'See whether there is room on the disk, and whether `git --version` works.',
  });
}

/** Ends a fetch that takes too much or too long, and tells how far one is that takes a while. */
function watch(
  folder: string,
  { url }: GitAddress,
  { signal, tell, limits = FETCH_LIMITS }: FetchOptions,
): Disposable & { readonly signal: AbortSignal; look(): number } {
  const own = new AbortController();
  let lookedMs = 0;
  let told = 1;
  const look = () => {
    const size = sizeOf(folder);
    if (size > limits.bytes) own.abort(tooLarge(url, limits.bytes));
    return size;
  };
  const timer = setInterval(() => {
    lookedMs += limits.lookMilliseconds;
    const size = look();
    if (lookedMs >= limits.milliseconds) own.abort(tooSlow(url, limits.milliseconds));
    if (lookedMs < limits.quietMilliseconds * told) return;
    told += 1;
    tell(`fetching ${url}: ${(size / 1024 / 1024).toFixed(1)} MiB so far`);
  }, limits.lookMilliseconds);
  return {
    signal: AbortSignal.any([signal, own.signal]),
    look,
    [Symbol.dispose]: () => clearInterval(timer),
  };
}

/** Git makes and removes files meanwhile: what is gone counts nothing. */
function sizeOf(folder: string): number {
  let size = 0;
  for (const name of namesBelow(folder)) {
    size += lstatSync(join(folder, name), { throwIfNoEntry: false })?.size ?? 0;
  }
  return size;
}

function namesBelow(folder: string): string[] {
  try {
    return readdirSync(folder, { recursive: true, encoding: 'utf8' });
  } catch {
    return [];
  }
}

function tooLarge(url: string, bytes: number): BulkheadError {
  return new BulkheadError('blocked', `${url} is larger than ${Math.round(bytes / 1024 / 1024)} MiB`, {
    fix: 'Clone it yourself and install the folder of the skill.',
  });
}

function tooSlow(url: string, milliseconds: number): BulkheadError {
  return new BulkheadError('timeout', `${url} was not fetched within ${Math.round(milliseconds / 1000)} s`, {
    fix: 'Try again, or clone it yourself and install the folder of the skill.',
    retryable: true,
  });
}
