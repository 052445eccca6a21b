export interface ShellSurroundings {
  /** HOME of commands: the path of the box's private, empty folder. */
  readonly home: string;
  /** PATH of commands; the system's folders if absent. */
  readonly path?: string;
  /** Name of the user who runs commands; absent if the system has none for the number. */
  readonly user?: string;
  /** Where LANG, LC_* and TERM are looked up; only values with the form of their names are taken. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
}

const SYSTEM_PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';
const LOCALE_NAMES = ['LANG', 'LC_ALL', 'LC_CTYPE', 'LC_MESSAGES', 'LC_NUMERIC', 'LC_TIME', 'LC_COLLATE'];
const LOCALE = /^(C|POSIX|[a-z]{2,3}_[A-Z]{2})(\.(UTF-8|utf8))?$/;
const TERMINAL = /^[a-z0-9][a-z0-9+.-]{0,40}$/i;

/** The whole environment of a command: a literal list, nothing inherited (FT20). */
export function shellEnvironment(surroundings: ShellSurroundings): Readonly<Record<string, string>> {
  const locale = LOCALE_NAMES.flatMap((name) => {
    const value = surroundings.environment?.[name];
    return value !== undefined && LOCALE.test(value) ? [[name, value] as const] : [];
  });
  const { user } = surroundings;
  const terminal = surroundings.environment?.['TERM'];
  return {
    LANG: 'C.UTF-8',
    ...Object.fromEntries(locale),
    PATH: surroundings.path ?? SYSTEM_PATH,
    HOME: surroundings.home,
    ...(user === undefined ? {} : { USER: user, LOGNAME: user }),
    TERM: terminal !== undefined && TERMINAL.test(terminal) ? terminal : 'dumb',
    // Reading must not change files: `git status` would write the index back.
    GIT_OPTIONAL_LOCKS: '0',
  };
}

/** Address of the launcher's forwarder, in a box with network access. */
export const PROXY = 'http://127.0.0.1:3128';

/** Proxy settings for programs: with them, a refusal comes at once and names the host. */
export function proxyEnvironment(wayOut: boolean): Readonly<Record<string, string>> {
  if (!wayOut) return {};
  const names = ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY'].flatMap((name) => [name, name.toLowerCase()]);
  const direct = { NO_PROXY: 'localhost,127.0.0.1,::1', no_proxy: 'localhost,127.0.0.1,::1' };
  return { ...Object.fromEntries(names.map((name) => [name, PROXY])), ...direct };
}
