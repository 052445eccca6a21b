import type { EngineLink } from '@bulkhead/client';
import type { ToolInfo } from '@bulkhead/protocol/client';
import type { UiCommand } from '@bulkhead/tui';

/** `/tools`: the tools, and the verdict on a call of one. */
export function toolsCommand(link: EngineLink): UiCommand {
  return {
    name: 'tools',
    argument: '[NAME]',
    about: 'list the tools, their effects and their share of the model’s window; of one: its policy',
    run: async (argument, { sessionId, signal, print }) => {
      const { tools, policy } = await link.repeat((client) => client.call('listTools', {}, signal), signal);
      if (argument !== '') return print(detailLines(tools, argument, policy).join('\n'));
      const { sections } = await link.repeat(
        (client) => client.call('readContext', { sessionId }, signal),
        signal,
      );
      const tokens = new Map(
        sections.filter(({ part }) => part === 'tools').map(({ name, tokens: taken }) => [name, taken]),
      );
      print(toolLines(tools, tokens).join('\n'));
    },
  };
}

/**
 * One line per tool, below its group.
 *
 * @param tokens by name, of the groups that the session's model receives now
 */
export function toolLines(
  tools: readonly ToolInfo[],
  tokens: ReadonlyMap<string, number>,
): readonly string[] {
  return [...Map.groupBy(tools, ({ group }) => group)].flatMap(([group, own]) => [
    groupLine(group, own, tokens.get(group)),
    ...own.map(({ name, offered, effect }) => `  ${name.padEnd(14)} ${offered ? effect : 'not offered'}`),
  ]);
}

function groupLine(group: string, own: readonly ToolInfo[], tokens: number | undefined): string {
  const about = [group, own[0]?.groupAbout ?? ''].filter((text) => text !== '').join(': ');
  if (tokens !== undefined) return `${about} (${tokens} tokens)`;
  return own.some(({ offered }) => offered) ? `${about} (loaded when needed)` : about;
}

/** All facts about one tool. */
export function detailLines(tools: readonly ToolInfo[], name: string, policy: string): readonly string[] {
  const tool = tools.find((one) => one.name === name);
  if (tool === undefined)
    return [`there is no tool ${name}; there are: ${tools.map((one) => one.name).join(', ')}`];
  return [
    `${tool.name}: ${tool.about}`,
    ...(tool.offered ? [] : [`not offered: ${tool.notOffered}`]),
    `a call ${tool.effect}; it ${tool.wayOut}`,
    `its results can be written by ${tool.writtenBy}`,
    `policy ${policy}:`,
    ...tool.rules
      .filter(({ everyCall }) => !everyCall)
      .map(({ name: rule, does, reason }) => `  ${rule}: ${does} (${reason})`),
    `  ${tool.treatment}`,
  ];
}
