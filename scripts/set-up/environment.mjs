/**
 * The person's own environment, without what `npm` adds for the scripts it runs: otherwise it would reach the
 * engine and, through it, every command.
 *
 * @param {NodeJS.ProcessEnv} env
 * @returns {NodeJS.ProcessEnv} A copy.
 */
export function withoutNpm(env) {
  const underNpm = env['npm_lifecycle_event'] !== undefined;
  if (!underNpm) return { ...env };
  const added = new Set(['INIT_CWD', 'NODE', 'COLOR', 'PATH']);
  const kept = Object.fromEntries(
    Object.entries(env).filter(([name]) => !added.has(name) && !name.toLowerCase().startsWith('npm_')),
  );
  const path = env['PATH'];
  if (path === undefined) return kept;
  const isAdded = (/** @type {string} */ folder) =>
    folder.endsWith('/node_modules/.bin') || folder.endsWith('/node-gyp-bin');
  return {
    ...kept,
    PATH: path
      .split(':')
      .filter((folder) => !isAdded(folder))
      .join(':'),
  };
}
