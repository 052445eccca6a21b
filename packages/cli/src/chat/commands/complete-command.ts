import type { ChatCommand } from './chat-command.ts';

/**
 * The result of a completer for readline: the candidates, and the part of the line they replace.
 */
export type Completion = [ways: string[], of: string];

/** Time limit of the engine's answer for one key, milliseconds. */
const ASKED_MS = 300;

/**
 * Tab completions for a line that begins like a command: chat commands and templates; none after a
 * complete name and a space.
 *
 * @param line as typed so far
 * @param templates requests their names; ignored if it fails or is late
 */
export async function completeCommand(
  line: string,
  commands: readonly Pick<ChatCommand, 'name' | 'argument'>[],
  templates: (signal: AbortSignal) => Promise<readonly string[]>,
): Promise<Completion> {
  if (!/^\/[a-z0-9-]*$/.test(line)) return [[], line];
  const known = await templates(AbortSignal.timeout(ASKED_MS)).catch(() => []);
  const own = commands.map(({ name, argument }) => `/${name}${argument === undefined ? '' : ' '}`);
  const others = known
    .map((name) => `/${name} `)
    .filter((way) => !own.includes(way.trim()) && !own.includes(way));
  return [[...own, ...others].filter((way) => way.startsWith(line)), line];
}
