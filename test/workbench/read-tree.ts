import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { masked, type Places } from './masks.ts';

/** The objects that a piece left: a text for each object, by its path; bytes of names as Latin-1. */
export type Tree = ReadonlyMap<string, string>;

/** Longer contents are compared by hash only. */
const SHOWN_BYTES = 20_000;
/** Index, objects and the like hold times and hashes: git itself is asked instead. */
const INSIDE_GIT = /^(?:index|objects|gc\.pid|COMMIT_EDITMSG)$/;

/**
 * Reads names, kinds, modes, owners, link targets and contents below a folder. A git folder is read
 * as git shows it: refs, trees, authors, texts, index and status.
 *
 * @param withOwners only root can make files of others
 */
export function readTree(top: string, places: Places, withOwners: boolean): Tree {
  const tree = new Map<string, string>();
  const walk = (folder: Buffer, below: string): void => {
    const names = readdirSync(folder, { encoding: 'buffer' });
    const inGit = isGitFolder(names);
    if (inGit) tree.set(`${below}(git)`, masked(gitFacts(folder.toString('utf8')), places));
    for (const name of names.toSorted(Buffer.compare)) {
      if (inGit && INSIDE_GIT.test(name.toString('latin1'))) continue;
      const path = Buffer.concat([folder, Buffer.from('/'), name]);
      const shown = `${below}${name.toString('latin1')}`;
      tree.set(shown, describe(path, places, withOwners));
      if (lstatSync(path).isDirectory()) walk(path, `${shown}/`);
    }
  };
  walk(Buffer.from(top), '');
  return tree;
}

function describe(path: Buffer, places: Places, withOwners: boolean): string {
  const stat = lstatSync(path);
  const owner = withOwners ? ` owner ${stat.uid}:${stat.gid}` : '';
  if (stat.isSymbolicLink()) return `link to ${masked(readlinkSync(path), places)}${owner}`;
  const mode = `mode ${(stat.mode & 0o7777).toString(8).padStart(3, '0')}${owner}`;
  if (stat.isDirectory()) return `folder, ${mode}`;
  if (!stat.isFile()) return `special ${(stat.mode & 0o170000).toString(8)}, ${mode}`;
  const links = stat.nlink > 1 ? `, ${stat.nlink} links` : '';
  return `file, ${mode}${links}\n${contentOf(path, places)}`;
}

function contentOf(path: Buffer, places: Places): string {
  const bytes = readFileSync(path);
  const text = masked(bytes.toString('latin1'), places);
  return text.length <= SHOWN_BYTES && !bytes.includes(0)
    ? text
    : `sha256 ${createHash('sha256').update(text).digest('hex')}`;
}

function isGitFolder(names: readonly Buffer[]): boolean {
  return ['HEAD', 'objects', 'refs'].every((one) => names.some((name) => name.toString('latin1') === one));
}

const GIT_QUESTIONS = [
  ['log', '--all', '--topo-order', '--format=%T %an <%ae> %G? %s%d'],
  ['for-each-ref', '--format=%(refname) %(objecttype)'],
  ['ls-files', '--stage'],
  ['fsck', '--no-progress', '--no-dangling', '--connectivity-only'],
] as const;

function gitFacts(folder: string): string {
  const questions = basename(folder) === '.git' ? [...GIT_QUESTIONS, ['status', '--short']] : GIT_QUESTIONS;
  return questions.map((question) => `${question[0]}:\n${askGit(folder, question)}`).join('\n');
}

function askGit(folder: string, question: readonly string[]): string {
  const tree = basename(folder) === '.git' ? [`--work-tree=${dirname(folder)}`] : [];
  const settings = ['-c', 'safe.directory=*', '-c', 'core.fsmonitor=false', '-c', 'core.hooksPath=/dev/null'];
  try {
    return execFileSync('git', [...settings, `--git-dir=${folder}`, ...tree, ...question], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
      cwd: folder,
      env: { PATH: '/usr/bin:/bin', GIT_OPTIONAL_LOCKS: '0' },
    });
  } catch (error) {
    return `failed: ${error instanceof Error ? error.message.slice(0, 200) : ''}`;
  }
}
