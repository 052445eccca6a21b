import { isWithin } from '../paths/levels.ts';

/** Managers look for their folder below HOME, which is another one in a box: these say where it is. */
const VARIABLES: Readonly<Record<string, string>> = {
  '.rustup': 'RUSTUP_HOME',
  '.pyenv': 'PYENV_ROOT',
  '.rbenv': 'RBENV_ROOT',
  '.volta': 'VOLTA_HOME',
  '.asdf': 'ASDF_DATA_DIR',
  '.local/share/mise': 'MISE_DATA_DIR',
};

/**
 * Environment of a command that is shown folders of programs: they come first on its PATH, as in the
 * person's shell.
 *
 * @param shown folders that the box shows
 * @param programs folders of programs in the home, in order
 * @returns PATH without the system's folders, and variables
 */
export function toolchainEnvironment(
  shown: readonly string[],
  programs: readonly string[],
  home: string,
): Readonly<Record<string, string>> {
  const found = programs.filter(
    (folder) => !folder.includes(':') && shown.some((one) => isWithin(folder, one)),
  );
  const named = shown.flatMap((folder) => {
    const name = VARIABLES[folder.slice(home.length + 1)];
    return name === undefined ? [] : [[name, folder] as const];
  });
  return { ...Object.fromEntries(named), PATH: found.join(':') };
}
