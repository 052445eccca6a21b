import { connectEngine } from '@bulkhead/client';
import { BulkheadError } from '@bulkhead/protocol';
import type { StatusResponse } from '@bulkhead/protocol/client';
import { JSON_OPTION } from '../arguments/option-table.ts';
import type { ParsedArguments } from '../arguments/parse-arguments.ts';
import type { Command } from '../command.ts';
import { sandboxLine, tellSandbox } from '../conversation/sandbox-banner.ts';
import type { Environment } from '../environment.ts';
import { EXIT } from '../exit-code.ts';
import { homeOf } from '../home.ts';
import { aroundNotice } from '../notices.ts';
import { Output } from '../output/output.ts';

export const statusCommand: Command = {
  usage: '[--json]',
  about: 'Shows the state of the engine, its home and its model.',
  details: ['Exit codes: 0 the engine runs, 1 it does not.'],
  options: JSON_OPTION,
  run,
};

async function run(args: ParsedArguments, environment: Environment): Promise<number> {
  const layout = homeOf(environment);
  const stdout = new Output(environment.stdout, environment.env);
  const status = await statusOf(environment);
  if (status !== undefined) tellSandbox(status, false, new Output(environment.stderr, environment.env));
  if (args.flag('json')) {
    stdout.own(`${JSON.stringify(statusAsJson(layout.root, status))}\n`);
  } else if (status === undefined) {
    stdout.line(`not running (home ${layout.root})`);
  } else {
    for (const line of statusLines(layout.root, status)) stdout.line(stdout.safe(line));
  }
  return status === undefined ? EXIT.failed : EXIT.completed;
}

/** Undefined if no engine runs. */
async function statusOf(environment: Environment): Promise<StatusResponse | undefined> {
  try {
    using client = await connectEngine(homeOf(environment));
    return await client.call('status', { workingFolder: environment.cwd });
  } catch (cause) {
    if (BulkheadError.is(cause) && cause.code === 'not_running') return undefined;
    throw cause;
  }
}

function statusLines(home: string, status: StatusResponse): string[] {
  const group = (kind: string) => {
    const pids = status.processes.filter((process) => process.kind === kind).map(({ pid }) => pid);
    return pids.length === 0 ? 'none' : pids.join(', ');
  };
  return [
    `running     version ${status.version}, since ${status.startedAt}`,
    `home        ${home}`,
    `address     ${status.httpAddress === '' ? 'none' : status.httpAddress}`,
    `model       ${status.model}`,
    `sandbox     ${sandboxLine(status)}`,
    `sessions    ${status.sessions}, ${status.activeRuns} at work`,
    `supervisor  ${status.supervisorPid}`,
    `engine      ${status.enginePid}`,
    `agents      ${group('agent')}`,
    `workers     ${group('worker')}`,
    `commands    ${group('command')}${status.processes.some(({ kind }) => kind === 'command') ? ' (see `bulkhead processes`)' : ''}`,
    ...status.boxes.map(({ kind, detail }) => `box         ${kind}: ${detail}`),
    ...(status.readableAround === '' ? [] : [`note        ${aroundNotice(status.readableAround)}`]),
    ...status.notices.map((notice) => `note        ${notice}`),
  ];
}

function statusAsJson(home: string, status: StatusResponse | undefined): Record<string, unknown> {
  if (status === undefined) return { running: false, home };
  return {
    running: true,
    home,
    version: status.version,
    protocol: status.protocolVersion,
    startedAt: status.startedAt,
    address: status.httpAddress,
    model: status.model,
    sandbox: status.sandbox,
    ...(status.readableAround === '' ? {} : { readableAround: status.readableAround }),
    sessions: status.sessions,
    activeRuns: status.activeRuns,
    supervisor: status.supervisorPid,
    engine: status.enginePid,
    processes: status.processes.map(({ kind, pid, sessionId }) => ({ kind, pid, session: sessionId })),
    boxes: status.boxes.map(({ kind, holds, walls, detail }) => ({ kind, holds, walls, detail })),
    notices: status.notices,
  };
}
