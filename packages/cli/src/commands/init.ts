import type { OpenedEngine } from '@bulkhead/client';
import { BulkheadError } from '@bulkhead/protocol';
import { JSON_OPTION } from '../arguments/option-table.ts';
import type { ParsedArguments } from '../arguments/parse-arguments.ts';
import type { Command } from '../command.ts';
import { type Environment, hasPerson } from '../environment.ts';
import { homeOf } from '../home.ts';
import { openEngine } from '../open-engine.ts';
import { askSetUp } from '../set-up/ask-set-up.ts';
import { setUpAsGiven } from '../set-up/set-up-as-given.ts';

export const initCommand: Command = {
  usage: '[--model PROVIDER/MODEL [--base-url URL] [--key-stdin]] [--no-test] [--yes] [--json]',
  about: 'Sets up a model: asks for it, tests the connection and saves it. You can run it again at any time.',
  details: [
    'Asks on a terminal, with a default for each question. With --model, --yes or --json it does not ask.',
    'Nothing is changed before the end, so Ctrl-C changes nothing. A running engine uses the model immediately.',
    'Asks for a key without showing it, or reads it with --key-stdin, and stores it like `bulkhead config secret`.',
    'Exit codes: 0 set up, 3 not saved, 4 the connection failed and nothing was changed, 130 Ctrl-C.',
  ],
  options: {
    ...JSON_OPTION,
    model: { about: 'the model, with its provider', value: 'PROVIDER/MODEL' },
    'base-url': { about: "address of the model's server", value: 'URL' },
    'key-stdin': { about: 'read the key from standard input' },
    'no-test': { about: 'save without testing the connection' },
    yes: { about: 'do not ask; keep all values that are not given' },
  },
  run,
};

async function run(args: ParsedArguments, environment: Environment): Promise<number> {
  const asks = !(args.flag('json') || args.flag('yes') || args.value('model') !== undefined);
  if (!asks)
    return await withEngine(environment, (opened, stop) => setUpAsGiven(opened, args, environment, stop));
  const stray = ['base-url', 'key-stdin'].find((name) => args.flag(name));
  if (stray !== undefined) throw usage(`--${stray} needs --model`);
  if (!hasPerson(environment)) throw usage('there is no terminal to ask on, and no --model');
  return await withEngine(environment, (opened, stop) =>
    askSetUp(opened, { environment, test: !args.flag('no-test') }, stop),
  );
}

async function withEngine(
  environment: Environment,
  work: (link: OpenedEngine['link'], stop: AbortSignal) => Promise<number>,
): Promise<number> {
  const stop = new AbortController();
  using _interrupts = environment.onInterrupt(() => stop.abort());
  try {
    const { link } = await openEngine(homeOf(environment), environment, { signal: stop.signal });
    using _link = link;
    return await work(link, stop.signal);
  } catch (cause) {
    const isCancelled = stop.signal.aborted || (BulkheadError.is(cause) && cause.code === 'cancelled');
    if (!isCancelled) throw cause;
    throw new BulkheadError('cancelled', 'cancelled: nothing was changed', { cause });
  }
}

function usage(message: string): BulkheadError {
  return new BulkheadError('usage', message, {
    fix: 'For example: bulkhead init --model anthropic/claude-sonnet-5-5 --key-stdin < FILE',
  });
}
