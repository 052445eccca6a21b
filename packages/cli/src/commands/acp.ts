import type { ParsedArguments } from '../arguments/parse-arguments.ts';
import type { Command } from '../command.ts';
import { modelOf } from '../conversation/run-request.ts';
import type { Environment } from '../environment.ts';
import { EXIT } from '../exit-code.ts';
import { homeOf } from '../home.ts';

export const acpCommand: Command = {
  usage: '[--model PROVIDER/MODEL]…',
  about: 'Serves an editor: the Agent Client Protocol on standard input and output.',
  details: [
    'The editor starts this command; docs/editors.md has its settings. Standard output carries',
    'only the protocol, standard error carries notices. Starts an engine if none runs.',
  ],
  options: {
    model: { about: 'offer this model too; repeatable', value: 'PROVIDER/MODEL' },
  },
  run,
};

async function run(args: ParsedArguments, environment: Environment): Promise<number> {
  const models = args.all('model').map(modelOf);
  const { serveAcp }: typeof import('@bulkhead/client/acp') = await import(environment.entries.acp.href);
  const stop = new AbortController();
  using _interrupts = environment.onInterrupt(() => stop.abort());
  const { env, stdin, stdout, stderr, clock, newId, entries } = environment;
  await serveAcp({
    layout: homeOf(environment),
    supervisor: entries.supervisor,
    env,
    stdin,
    stdout,
    log: (line) => void stderr.write(`bulkhead acp: ${line.replaceAll(/\s*\n\s*/g, ' ')}\n`),
    clock,
    newId,
    models,
    stop: stop.signal,
  });
  return stop.signal.aborted ? EXIT.cancelled : EXIT.completed;
}
