import type { ChatCommand } from './chat-command.ts';

/** What readline wants of a completer: the ways to go on, and the part of the line they stand for. */
export type Completion = [ways: string[], of: string];

/** The engine is asked no longer than this for one key, milliseconds. */
const ASKED_MS = 300;

/**
 * What Tab offers for a line that begins like a command: commands of the chat and templates; nothing once its name is
 * complete and a space follows.
 *
 * @param line as typed so far
 * @param templates asks for their names; one that fails or is late is left out
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
