import { create } from '@bufbuild/protobuf';
import { ToolCallSchema } from '@bulkhead/protocol/chat';
import { describe, expect, it } from 'vitest';
import { definition } from '../testing/messages.ts';
import { loadToolsDefinition, loadToolsResult } from './load-tools.ts';

describe('load_tools', () => {
  it('lists the groups there are, in few words [L3] [B6]', () => {
    const made = loadToolsDefinition([
      { name: 'git', summary: 'version control' },
      { name: 'web', summary: '' },
    ]);
    expect(made).toMatchObject({ name: 'load_tools', readOnly: true });
    expect(made.description).toBe(
      'Load groups of tools for later calls. Groups: git (version control); web.',
    );
    expect(JSON.parse(made.inputSchemaJson)).toMatchObject({ required: ['groups'] });
    expect(loadToolsDefinition([]).description).toContain('There are no groups.');
  });

  it('says what came, what is unknown, and when nothing is new [L3]', () => {
    const call = create(ToolCallSchema, {
      callId: 'c',
      name: 'load_tools',
      argumentsJson: '{"groups":["git","x"]}',
    });
    const tools = [definition('git_log', true)];
    expect(loadToolsResult(call, { tools, unknown: ['x'], known: ['git'] })).toMatchObject({
      callId: 'c',
      name: 'load_tools',
      text: 'Loaded: git_log.\nUnknown groups: x. Known groups: git.',
      isError: true,
    });
    expect(loadToolsResult(call, { tools: [], unknown: [], known: [] })).toMatchObject({
      text: 'Nothing new: these groups are loaded already.',
      isError: false,
    });
    expect(loadToolsResult(call, { tools: [], unknown: ['x'], known: [] }).text).toContain(
      'Known groups: none.',
    );
  });
});
