import { BulkheadError } from '@bulkhead/protocol';
import { keychainFailed, type ProcessVariables, runKeychainTool, type ToolAnswer } from './keychain-tool.ts';
import type { SecretStore } from './secret-store.ts';

const PROGRAM = 'security';
/** Exit status if there is no such item. */
const NOT_FOUND = 44;
/** The tool reads its commands in lines of at most 4,096 bytes; a secret takes two for each of its own. */
const MAX_SECRET_BYTES = 1_500;

/**
 * The keychain of macOS, by its `security`. Only its command mode (`-i`) takes a secret by standard
 * input; there it is written in hexadecimal, so that no part of it can be read as a command.
 *
 * @param service one for each home
 */
export function createMacosSecurity(service: string, environment: ProcessVariables): SecretStore {
  const run = (args: readonly string[], input?: string): ToolAnswer =>
    runKeychainTool({
      program: PROGRAM,
      missing: 'Set secrets.store to file in config.yaml.',
      environment,
      args,
      ...(input === undefined ? {} : { input }),
    });
  const item = (name: string) => ['-a', name, '-s', service];
  const get = (name: string): string | undefined => {
    const answer = run(['find-generic-password', ...item(name), '-w']);
    if (answer.status === 0) return fromHex(answer.out.replace(/\n$/, ''));
    if (answer.status === NOT_FOUND) return undefined;
    throw keychainFailed(PROGRAM, `look up ${name}`, answer);
  };
  return {
    place: 'the keychain (security)',
    get,
    names() {
      const answer = run(['dump-keychain']);
      if (answer.status !== 0) throw keychainFailed(PROGRAM, 'list names', answer);
      return accountsOf(answer.out, service);
    },
    set(name, value) {
      const hex = Buffer.from(toHex(value)).toString('hex');
      if (hex.length > 2 * MAX_SECRET_BYTES) {
        throw new BulkheadError('not_available', `the value of ${name} is too long for the keychain`, {
          fix: 'Set secrets.store to file in config.yaml.',
        });
      }
      const answer = run(['-i'], `add-generic-password -U -a "${name}" -s "${service}" -X ${hex}\n`);
      // In command mode the status is unreliable: compare the stored value.
      if (get(name) !== value) throw keychainFailed(PROGRAM, `store ${name}`, answer);
    },
    remove(name) {
      const answer = run(['delete-generic-password', ...item(name)]);
      if (answer.status === 0) return true;
      if (answer.status === NOT_FOUND) return false;
      throw keychainFailed(PROGRAM, `remove ${name}`, answer);
    },
  };
}

/**
 * `-w` prints a value that is not plain ASCII in hexadecimal, which looks like a value that is
 * hexadecimal. So such a value is stored as hexadecimal behind our own mark.
 */
const HEX_MARK = 'hex:';

function toHex(value: string): string {
  const plain = /^[\x21-\x7e]+$/.test(value) && !value.startsWith(HEX_MARK);
  return plain ? value : `${HEX_MARK}${Buffer.from(value).toString('hex')}`;
}

function fromHex(stored: string): string {
  return stored.startsWith(HEX_MARK)
    ? Buffer.from(stored.slice(HEX_MARK.length), 'hex').toString('utf8')
    : stored;
}

/** Items follow one another, each begun by `keychain:`, with `"acct"` and `"svce"` among its lines. */
function accountsOf(dump: string, service: string): readonly string[] {
  return dump
    .split(/^keychain: /m)
    .filter((entry) => entry.includes(`"svce"<blob>="${service}"`))
    .flatMap((entry) => /"acct"<blob>="([^"\n]+)"/.exec(entry)?.[1] ?? [])
    .toSorted();
}
