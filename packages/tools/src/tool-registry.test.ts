import { describe, expect, it } from 'vitest';
import { createToolRegistry } from './tool-registry.ts';
import { coreGroups, coreTools } from './tools/every-tool.ts';
import { readTool } from './tools/read.ts';

describe('the tool registry [B1]', () => {
  it('finds tools by name and by group, in order of registration', () => {
    const registry = createToolRegistry(coreTools, coreGroups);
    expect(registry.get('grep')?.name).toBe('grep');
    expect(registry.get('toString')).toBeUndefined();
    expect(registry.inGroups(['shell', 'nothing']).map(({ name }) => name)).toEqual(['bash']);
    expect(registry.inGroups(['shell', 'files']).map(({ name }) => name)).toEqual(
      coreTools.map(({ name }) => name),
    );
  });

  it('lists groups with their summaries', () => {
    const registry = createToolRegistry(coreTools, coreGroups);
    registry.register({ ...readTool, name: 'peek', group: 'more' });
    expect(registry.groups()).toEqual([
      {
        name: 'files',
        summary: '',
        tools: ['read', 'write', 'edit', 'ls', 'find', 'grep'],
      },
      { name: 'shell', summary: '', tools: ['bash'] },
      { name: 'more', summary: 'more', tools: ['peek'] },
    ]);
  });

  it('refuses a second tool of a name and names that a provider would', () => {
    const registry = createToolRegistry([readTool]);
    expect(() => registry.register(readTool)).toThrow('registered already');
    expect(() => registry.register({ ...readTool, name: 'Bad name' })).toThrow('no legal tool name');
    expect(() => registry.register({ ...readTool, name: 'x', group: '' })).toThrow('no legal group name');
    expect(registry.inGroups(['files'])).toHaveLength(1);
  });
});
