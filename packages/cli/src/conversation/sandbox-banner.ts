import type { StatusResponse } from '@bulkhead/protocol/client';
import type { OptionTable } from '../arguments/option-table.ts';
import type { Output } from '../output/output.ts';

/** For the commands that may start an engine. No key of config.yaml and no variable can set it. */
export const INSECURE_OPTION: OptionTable = {
  'insecure-no-sandbox': {
    about: 'DANGER: start the engine without any sandbox; what the model runs has all your rights',
  },
};

/** The warning for everyone who uses an engine without a sandbox, in lines. */
const BANNER: readonly string[] = [
  '!!! NO SANDBOX: this engine was started with --insecure-no-sandbox.',
  '!!! What the model runs has all your rights: every file, every key, the network. Nothing holds it back.',
  '!!! What a command changes is changed at once: it is not looked at first, and nothing is held back or taken back.',
  '!!! `bulkhead stop` ends it; started without the option it has its boxes, or says why it can not.',
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
