/** A Claude model's thinking abilities, by its name. Names of other forms count as the newest. */
export interface ClaudeThinking {
  /**
   * Models up to 4.5: they need a number of tokens, and the thinking of a running tool loop back.
   */
  readonly byBudget: boolean;
  /**
   * It refuses thinking if the conversation has changed since:
   * https://platform.claude.com/docs/en/build-with-claude/preserved-thinking
   */
  readonly bound: boolean;
}

export function claudeThinking(model: string): ClaudeThinking {
  if (/claude-(instant|v?2|3)/.test(model)) return { byBudget: true, bound: false };
  const match = /claude-([a-z]+)-(\d+)(?:-(\d{1,2}))?(?!\d)/.exec(model);
  if (match === null) return { byBudget: false, bound: false };
  const [, family = '', major = '0', minor = '0'] = match;
  const version = Number(major) + Number(minor) / 100;
  const firstBound = family === 'fable' || family === 'mythos' ? 5.01 : 5.05;
  return { byBudget: version <= 4.05, bound: version >= firstBound };
}
