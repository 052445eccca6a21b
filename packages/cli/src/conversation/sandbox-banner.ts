import type { StatusResponse } from '@bulkhead/protocol/client';
import type { OptionTable } from '../arguments/option-table.ts';
import type { Output } from '../output/output.ts';

/** For the commands that may start an engine. No key of config.yaml and no variable can set it. */
export const INSECURE_OPTION: OptionTable = {
  'insecure-no-sandbox': {
    about: 'DANGER: start the engine without any sandbox; commands of the model have all your rights',
  },
};

/** The warning for everyone who uses an engine without a sandbox, in lines. */
const BANNER: readonly string[] = [
  '!!! NO SANDBOX: this engine was started with --insecure-no-sandbox.',
  '!!! Commands of the model have all your rights: every file, every key, the network.',
  '!!! Changes of a command take effect immediately: they are not checked first and cannot be undone.',
  '!!! `bulkhead stop` ends it. Without the option, the engine starts with its sandbox, or says why it cannot.',
];

/**
 * Warns on standard error that no sandbox is used, regardless of who started the engine; silent
 * otherwise.
 *
 * @param asked true if this command was given the option
 */
export function tellSandbox(status: Pick<StatusResponse, 'sandbox'>, asked: boolean, stderr: Output): void {
  if (status.sandbox === 'off') {
    for (const line of BANNER) stderr.line(stderr.palette.red(line));
  } else if (asked) {
    stderr.line('note: --insecure-no-sandbox changed nothing: the engine that runs has its sandbox');
  }
}

/** One line of `status`; empty if the engine reports nothing about it. */
export function sandboxLine({ sandbox }: Pick<StatusResponse, 'sandbox'>): string {
  if (sandbox === 'off') return 'OFF: started with --insecure-no-sandbox, nothing is boxed';
  return sandbox === 'on' ? 'on' : 'not known';
}
