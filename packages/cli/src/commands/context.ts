import type { EngineClient } from '@bulkhead/client';
import type { ReadContextResponse } from '@bulkhead/protocol/client';
import { JSON_OPTION } from '../arguments/option-table.ts';
import type { ParsedArguments } from '../arguments/parse-arguments.ts';
import type { Command } from '../command.ts';
import { contextLines } from '../context/context-lines.ts';
import { findSession, noSession } from '../conversation/find-session.ts';
import type { Environment } from '../environment.ts';
import { EXIT } from '../exit-code.ts';
import { homeOf } from '../home.ts';
import { openEngine } from '../open-engine.ts';
import { Output } from '../output/output.ts';

export const contextCommand: Command = {
  usage: '[--session ID] [--json]',
  about: 'Shows the tokens of a model request by section, cached and fresh.',
  details: [
    'With a session: its next request, and the tokens of its last call as the provider counted them.',
    'Without one: the first request of a new session in this folder, without a message.',
  ],
  options: { ...JSON_OPTION, session: { about: 'of this session', value: 'ID' } },
  run,
};

async function run(args: ParsedArguments, environment: Environment): Promise<number> {
  const { signal } = new AbortController();
  const { link } = await openEngine(homeOf(environment), environment, { signal });
  using _link = link;
  const context = await link.once((client) => read(client, args.value('session'), environment.cwd));
  const stdout = new Output(environment.stdout, environment.env);
  if (args.flag('json')) stdout.own(`${JSON.stringify(asJson(context))}\n`);
  else for (const line of contextLines(context, stdout)) stdout.line(line);
  return EXIT.completed;
}

async function read(
  client: EngineClient,
  session: string | undefined,
  workingFolder: string,
): Promise<ReadContextResponse> {
  if (session === undefined) return client.call('readContext', { workingFolder });
  const known = await findSession(client, session);
  if (known === undefined) throw noSession(session);
  return client.call('readContext', { sessionId: known.sessionId });
}

function asJson({ model, contextWindow, vocabulary, sections, lastCall }: ReadContextResponse) {
  const rows = sections.map(({ part, name, tokens }) => ({ part, name, tokens }));
  const total = rows.reduce((sum, { tokens }) => sum + tokens, 0);
  const {
    $typeName: _type,
    $unknown: _unknown,
    ...last
  } = lastCall ?? { $typeName: undefined, $unknown: undefined };
  return {
    model,
    contextWindow,
    vocabulary,
    sections: rows,
    total,
    lastCall: lastCall === undefined ? null : last,
  };
}
