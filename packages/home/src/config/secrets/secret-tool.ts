import { keychainFailed, type ProcessVariables, runKeychainTool, type ToolAnswer } from './keychain-tool.ts';
import type { SecretStore } from './secret-store.ts';

const PROGRAM = 'secret-tool';

/**
 * The keychain of a Linux desktop (Secret Service), by libsecret's `secret-tool`. An item is named by the attributes
 * `service` and `account`. The tool prints values on standard output and attributes on standard error.
 *
 * @param service one for each home
 */
export function createSecretTool(service: string, environment: ProcessVariables): SecretStore {
  const run = (args: readonly string[], more: { input?: string; out?: boolean } = {}): ToolAnswer =>
    runKeychainTool({
      program: PROGRAM,
      missing: 'Install it (libsecret-tools, libsecret), or set secrets.store to file in config.yaml.',
      environment,
      args,
      ...more,
    });
  const item = (name: string) => ['service', service, 'account', name];
  const get = (name: string): string | undefined => {
    const answer = run(['lookup', ...item(name)]);
    if (answer.status === 0) return answer.out;
    // A missing item is status 1 without output; an error is status 1 with a message.
    if (answer.status === 1 && answer.err.trim() === '') return undefined;
    throw keychainFailed(PROGRAM, `look up ${name}`, answer);
  };
  return {
    place: 'the keychain (secret-tool)',
    get,
    names() {
      const answer = run(['search', '--all', 'service', service], { out: false });
      if (answer.status !== 0 && !/^\s*$|^attribute\./.test(answer.err)) {
        throw keychainFailed(PROGRAM, 'list names', answer);
      }
      return [...answer.err.matchAll(/^attribute\.account = (.+)$/gm)]
        .flatMap(([, name]) => name ?? [])
        .toSorted();
    },
    set(name, value) {
      const answer = run(['store', `--label=Bulkhead ${name}`, ...item(name)], { input: value });
      if (answer.status !== 0) throw keychainFailed(PROGRAM, `store ${name}`, answer);
    },
    remove(name) {
      if (get(name) === undefined) return false;
      const answer = run(['clear', ...item(name)]);
      if (answer.status !== 0) throw keychainFailed(PROGRAM, `remove ${name}`, answer);
      return true;
    },
  };
}
