/*
 * `npm run workbench -- [--only GROUP|GROUP/PIECE]... [--as-user NAME] [--json] [--list]`: plays everyday
 * shell work plain and in the product's box, and compares (docs/workbench.md). Exit code 1 if the
 * differences are not exactly those of `limits.txt`.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { productBuild } from '../../e2e/crash/fault-build.ts';

const PROGRAM = `${import.meta.dirname}/play-all.child.ts`;
const TYPES = ['--experimental-transform-types', '--disable-warning=ExperimentalWarning'];

const { user, rest } = userOf(process.argv.slice(2));
await productBuild();
const program = [process.execPath, ...TYPES, PROGRAM, ...rest];
const [file = '', ...args] = user === undefined ? program : [...asUser(user), ...program];
const home = user === undefined ? {} : { HOME: '/nonexistent', BULKHEAD_WORKBENCH_TOOLCHAINS: '' };
const { status } = spawnSync(file, args, { stdio: 'inherit', env: { ...process.env, ...home } });
process.exitCode = status ?? 1;

function userOf(args: readonly string[]): {
  readonly user: string | undefined;
  readonly rest: readonly string[];
} {
  const at = args.indexOf('--as-user');
  return at < 0 ? { user: undefined, rest: args } : { user: args[at + 1], rest: args.toSpliced(at, 2) };
}

/** The beginning of a command that runs as another user. Only root can do so. */
function asUser(name: string): readonly string[] {
  const id = (flag: string) => execFileSync('id', [flag, name], { encoding: 'utf8' }).trim();
  return ['setpriv', `--reuid=${id('-u')}`, `--regid=${id('-g')}`, '--clear-groups'];
}
