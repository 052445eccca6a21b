import type { EngineClient, EngineLink } from '@bulkhead/client';
import { sayWhile } from '../../conversation/rollback-progress.ts';
import type { Output } from '../../output/output.ts';
import { printFiles, printHits, SEARCHING } from '../../output/print-memory.ts';
import { skillLine } from '../../skills/skill-lines.ts';
import { untrustedTexts } from '../../skills/untrusted-texts.ts';
import type { ChatCommand, ChatSeat } from './chat-command.ts';
import { compactChat } from './compact.ts';
import { listPins, pin, unpin } from './pins.ts';

export const compactCommand: ChatCommand = {
  name: 'compact',
  argument: '[FOCUS]',
  about: 'compact the conversation; keeps FOCUS above all',
  run: async (focus, { link, sessionId, output, signal }) => {
    const work = link.once((client) => compactChat(client, sessionId, focus, signal));
    const lines = await sayWhile(work, 'compacting the conversation', (line) => output.line(line));
    say({ output }, lines);
  },
};

export const pinCommand: ChatCommand = {
  name: 'pin',
  argument: '[TEXT]',
  about: 'pin a rule that the model always receives word for word',
  run: async (rule, seat) =>
    say(seat, await seat.link.once((client) => pin(client, seat.sessionId, rule, seat.signal))),
};

export const pinsCommand: ChatCommand = {
  name: 'pins',
  about: 'list the pinned rules',
  run: async (_argument, seat) => {
    const list = () =>
      seat.link.repeat((client) => listPins(client, seat.sessionId, seat.signal), seat.signal);
    say(seat, await list());
  },
};

export const unpinCommand: ChatCommand = {
  name: 'unpin',
  argument: 'N',
  about: 'remove a pinned rule',
  needs: 'the number of a rule, see /pins',
  run: async (number, seat) =>
    say(seat, await seat.link.once((client) => unpin(client, seat.sessionId, number, seat.signal))),
};

export const memoryCommand: ChatCommand = {
  name: 'memory',
  argument: '[QUERY]',
  about: 'search memory; without words, list its files',
  run: (query, { link, output, signal }) => chatMemory(link, query, output, signal),
};

export const skillsCommand: ChatCommand = {
  name: 'skills',
  about: 'list skills and templates; /NAME WORDS sends a template with the words',
  run: (_argument, { link, folder, output, taken, signal }) =>
    link.repeat((client) => showSkills(client, folder, output, taken), signal),
};

function say({ output }: Pick<ChatSeat, 'output'>, lines: readonly string[]): void {
  for (const line of lines) output.line(output.safeLine(line));
}

/** `/memory [QUERY]`: search results in memory, or, without words, the files of memory. */
async function chatMemory(
  link: EngineLink,
  query: string,
  output: Output,
  signal: AbortSignal,
): Promise<void> {
  const words = query.trim();
  if (words === '') {
    return printFiles(await link.repeat((client) => client.call('showMemory', {}, signal), signal), output);
  }
  const search = link.repeat(
    async (client) => (await client.call('searchMemory', { query: words }, signal)).hits,
    signal,
  );
  printHits(await sayWhile(search, SEARCHING, (line) => output.line(line)), output);
}

/** Calls of the engine that the chat needs for skills and templates. */
type SkillsClient = EngineClient;

/**
 * `/skills`: active skills and templates of the working folder, and why others are not active.
 *
 * @param taken names of the chat's commands, which no template can use
 */
export async function showSkills(
  client: SkillsClient,
  folder: string,
  output: Output,
  taken: ReadonlySet<string>,
): Promise<void> {
  const { skills, warnings } = await client.call('listSkills', { workingFolder: folder });
  for (const skill of skills.filter(({ hiddenBy }) => hiddenBy === '')) output.line(skillLine(skill, output));
  const { templates, warnings: others } = await client.call('listTemplates', { workingFolder: folder });
  for (const { name, description } of templates) {
    const line = `/${output.safeLine(name)}  ${output.safeLine(description)}`;
    if (taken.has(name)) output.line(`not used: template ${line}: /${name} is a command; rename the file`);
    else output.line(line);
  }
  const untrusted = await untrustedTexts(client, folder);
  for (const warning of [...warnings, ...others, ...untrusted]) {
    output.line(`not used: ${output.safeLine(warning)}`);
  }
}
