import { createToolRegistry, everyGroup, everyTool } from '@bulkhead/tools';
import { describe, expect, it } from 'vitest';
import { YES } from '../testing/answers.ts';
import { approvalStage } from '../testing/approval-stage.ts';
import { allow, pipelineStage } from '../testing/pipeline-stage.ts';

const ask = { ...allow, decision: 'escalate' } as const;

/** Valid arguments for each tool of the product. */
const CALLS: Readonly<Record<string, object>> = {
  read: { path: 'a' },
  write: { path: 'a', content: 'b' },
  edit: { path: 'a', old_text: 'b', new_text: 'c' },
  ls: {},
  find: { pattern: '*' },
  grep: { pattern: 'x' },
  bash: { command: 'ls', hosts: ['a.example'], background: true },
  web_fetch: { url: 'https://a.example/' },
  http_request: { url: 'https://a.example/', method: 'POST' },
  process_list: {},
  process_stop: { id: 'a' },
  result_open: { id: 'a' },
  memory_search: { query: 'x' },
  memory_write: { text: 'x' },
};

describe('a tool call', () => {
  it.each(everyTool.map(({ name }) => name))(
    'of %s is parsed once, also when a person is asked and the action is checked again',
    async (name) => {
      let parsed = 0;
      const counted = everyTool.map((tool) => ({
        name: tool.name,
        description: tool.description,
        group: tool.group,
        readOnly: tool.readOnly,
        effect: tool.effect,
        inputSchema: tool.inputSchema,
        parse: (input: unknown) => {
          parsed += 1;
          return tool.parse(input);
        },
      }));
      const registry = createToolRegistry(counted, everyGroup);
      const tools = { get: (tool: string) => registry.get(tool), names: () => [] };
      const { service: approvals } = approvalStage();
      const test = pipelineStage({ approvals, tools }, ask, '/');
      const running = test.run(JSON.stringify(CALLS[name]), 'ask', name);
      await expect.poll(() => approvals.open.length, { interval: 1 }).toBe(1);
      for (const open of approvals.open) {
        approvals.decide({ approval: open.id, session: open.sessionId, hash: open.hash }, YES);
      }
      expect(await running).toMatchObject({ refused: false, result: { text: 'done' } });
      expect(test.calls).toHaveLength(1);
      expect(test.calls[0]?.parsed.arguments).toEqual(expect.objectContaining(CALLS[name] ?? {}));
      expect(parsed).toBe(1);
    },
  );
});
