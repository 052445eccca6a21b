import { runProgram } from './run-program.ts';

/**
 * Files of the checkout that people write: known to git or new, not ignored, not generated.
 *
 * @param root The checkout.
 * @param pattern Selects paths.
 * @returns Paths below the root, sorted.
 * @throws If git fails.
 */
export async function sourceFiles(root: string, pattern: RegExp): Promise<string[]> {
  const listed = await runProgram('git', ['ls-files', '--cached', '--others', '--exclude-standard', '-z'], {
    cwd: root,
    env: process.env,
  });
  if (listed.code !== 0) throw new Error(`git ls-files failed: ${listed.output}`);
  const deleted = await runProgram('git', ['ls-files', '--deleted', '-z'], { cwd: root, env: process.env });
  const gone = new Set(deleted.stdout.split('\0'));
  const paths = new Set(listed.stdout.split('\0'));
  return [...paths].filter((path) => pattern.test(path) && !gone.has(path) && !path.includes('/gen/')).sort();
}
