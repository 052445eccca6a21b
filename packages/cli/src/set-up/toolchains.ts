import type { EngineClient } from '@bulkhead/client';
import type { Toolchain } from '@bulkhead/protocol/client';
import { askOnTerminal } from '../conversation/ask-on-terminal.ts';
import { yesOrNo } from '../conversation/yes-or-no.ts';
import type { Environment } from '../environment.ts';
import { Output } from '../output/output.ts';

/** Names of programs on one line. */
const MAX_NAMES = 6;
const NOT_ALLOWED = 'not allowed: you are asked again when a command misses one';

/** True if commands could run its programs, and don't yet. */
export function isOpen({ allowed, programs }: Toolchain): boolean {
  return !allowed && programs.length > 0;
}

/** Shows folders of programs and asks once for all; nothing is asked where there is none. */
export async function offerToolchains(
  client: EngineClient,
  found: readonly Toolchain[],
  environment: Environment,
  stop: AbortSignal,
): Promise<void> {
  if (found.length === 0) return;
  const stderr = new Output(environment.stderr, environment.env);
  stderr.line('Programs in your home folder that commands do not see yet:');
  for (const each of found) showToolchain(each, stderr, environment);
  const question =
    'Let commands in every folder run them? They can read these folders, not change them. [y/N] ';
  const isAllowed = yesOrNo(await askOnTerminal(environment)(question, stop)) === true;
  stderr.line(isAllowed ? await allowToolchains(client, found, stop) : NOT_ALLOWED);
}

/** @returns a line for the person */
export async function allowToolchains(
  client: EngineClient,
  toolchains: readonly Toolchain[],
  stop: AbortSignal,
): Promise<string> {
  const shown = toolchains.map(({ place, digest }) => ({ place, digest }));
  await client.call('allowToolchains', { toolchains: shown }, stop);
  return 'allowed: `bulkhead grants list` shows it, `bulkhead grants revoke ID` ends it';
}

export function showToolchain(toolchain: Toolchain, output: Output, environment: Environment): void {
  const { place, programs, folders, allowed, problems } = toolchain;
  const { bold, dim } = output.palette;
  const short = (path: string) => asTyped(path, environment);
  const names = programs.slice(0, MAX_NAMES).join(', ');
  const more = programs.length > MAX_NAMES ? ` and ${programs.length - MAX_NAMES} more` : '';
  output.line(`  ${bold(output.safeLine(short(place)))}${allowed ? '  allowed' : ''}`);
  if (programs.length > 0) output.line(`    ${output.safeLine(`${names}${more}`)}`);
  const others = folders.filter((path) => path !== place);
  if (others.length > 0) output.line(dim(`    with ${output.safeLine(others.map(short).join(', '))}`));
  if (programs.length === 0)
    for (const problem of problems) output.line(dim(`    ${output.safeLine(problem)}`));
}

function asTyped(path: string, { env }: Environment): string {
  const home = env['HOME'] ?? '';
  return home !== '' && path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path;
}
