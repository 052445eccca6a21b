import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Places } from './masks.ts';
import type { Group, Piece } from './piece.ts';

/** Of the commands of a box, and so of the plain ones. */
export const SYSTEM_PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';
const BOX_HOME = '/home/bulkhead';
const GIT_CONFIG = `[user]
\tname = Robin Example
\temail = robin@example.org
[init]
\tdefaultBranch = main
[advice]
\tdetachedHead = false
`;
const EARLIER = '2024-03-01T10:00:00Z';
const SET_UP_MS = 60_000;

/** The folders of one piece: made anew for each play, at the same paths. */
export interface Place {
  readonly top: string;
  /** Where its commands start. */
  readonly folder: string;
  readonly home: string;
  readonly temporary: string;
  readonly env: Readonly<Record<string, string>>;
  readonly masks: Places;
}

/**
 * Empties and prepares the folders of a piece.
 *
 * @param root of all pieces; the home is `home` below it, and shared
 * @throws Error if the preparation fails
 */
export function preparePlace(root: string, home: string, group: Group, piece: Piece, port: number): Place {
  const top = join(root, `${group.name}-${piece.name}`);
  const folder = join(top, piece.folder ?? 'work');
  const temporary = join(root, 'temporary');
  for (const one of [top, temporary]) rmSync(one, { recursive: true, force: true });
  mkdirSync(home, { recursive: true });
  for (const name of readdirSync(home)) rmSync(join(home, name), { recursive: true, force: true });
  for (const one of [folder, temporary]) mkdirSync(one, { recursive: true });
  writeFileSync(join(home, '.gitconfig'), GIT_CONFIG);
  if (piece.toolchains) copyToolchains(home);
  const env = environmentOf(home, temporary);
  const setUp = withPort(piece.setUp ?? '', port);
  execFileSync('/bin/bash', ['-ec', setUp], {
    cwd: folder,
    // Earlier work of the person: later commits must not get its hashes by chance.
    env: { ...env, GIT_AUTHOR_DATE: EARLIER, GIT_COMMITTER_DATE: EARLIER },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: SET_UP_MS,
  });
  return { top, folder, home, temporary, env, masks: { homes: [home, BOX_HOME], temporary: [temporary] } };
}

export function withPort(text: string, port: number): string {
  return text.replaceAll('{{port}}', String(port));
}

/** The whole environment of a plain command. The engine gets the same home and PATH. */
export function environmentOf(home: string, temporary: string): Readonly<Record<string, string>> {
  const user = process.getuid?.() === 0 ? 'root' : userName();
  return {
    PATH: `${home}/.local/bin:${home}/.cargo/bin:${SYSTEM_PATH}`,
    HOME: home,
    TMPDIR: temporary,
    LANG: 'C.UTF-8',
    TERM: 'dumb',
    USER: user,
    LOGNAME: user,
    SHELL: '/bin/bash',
    // It would ask the network, and print what it learnt.
    NPM_CONFIG_UPDATE_NOTIFIER: 'false',
  };
}

function userName(): string {
  return execFileSync('id', ['-un'], { encoding: 'utf8' }).trim();
}

/** The rust toolchain of the person who runs this, as hard links where possible, without documentation. */
export function rustHome(): string | undefined {
  const home = process.env['BULKHEAD_WORKBENCH_TOOLCHAINS'] ?? process.env['HOME'];
  if (home === undefined) return undefined;
  const toolchains = join(home, '.rustup/toolchains');
  const stable = existsSync(toolchains)
    ? readdirSync(toolchains).find((name) => name.startsWith('stable'))
    : '';
  return stable === undefined || stable === '' ? undefined : join(toolchains, stable);
}

function copyToolchains(home: string): void {
  const rust = rustHome();
  if (rust === undefined) return;
  const copy = join(home, '.rustup/toolchains', rust.split('/').at(-1) ?? '');
  mkdirSync(copy, { recursive: true });
  for (const name of ['bin', 'lib', 'libexec'].filter((one) => existsSync(join(rust, one))))
    link(join(rust, name), copy);
  const rustup = dirname(dirname(rust));
  // rustup made it when it was installed; a command may not.
  mkdirSync(join(home, '.rustup/update-hashes'));
  writeFileSync(
    join(home, '.rustup/settings.toml'),
    `version = "12"\ndefault_toolchain = "${rust.split('/').at(-1)}"\nprofile = "minimal"\n`,
  );
  mkdirSync(join(home, '.cargo'), { recursive: true });
  link(join(dirname(rustup), '.cargo/bin'), join(home, '.cargo'));
}

function link(from: string, to: string): void {
  try {
    execFileSync('cp', ['-al', from, to], { stdio: 'ignore' });
  } catch {
    execFileSync('cp', ['-a', from, to], { stdio: 'ignore' });
  }
}
