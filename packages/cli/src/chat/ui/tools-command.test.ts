import { create, type MessageInitShape } from '@bufbuild/protobuf';
import { ToolInfoSchema } from '@bulkhead/protocol/client';
import { describe, expect, it } from 'vitest';
import { detailLines, toolLines } from './tools-command.ts';

function tool(name: string, fields: MessageInitShape<typeof ToolInfoSchema> = {}) {
  return create(ToolInfoSchema, {
    name,
    group: 'files',
    about: 'About it.',
    offered: true,
    effect: 'looks',
    wayOut: 'stays here',
    writtenBy: 'anybody',
    treatment: 'always: asked',
    ...fields,
  });
}

const TOOLS = [
  tool('read'),
  tool('memory_write', { group: 'memory', groupAbout: 'long-term', offered: false, notOffered: 'it is off' }),
  tool('web_fetch', {
    group: 'web',
    rules: [
      { name: 'some', does: 'refused', reason: 'a bad host' },
      { name: 'all', does: 'asked', reason: 'always', everyCall: true },
    ],
  }),
];

describe('/tools', () => {
  it('lists every tool by group, with what the group takes of the window [I2]', () => {
    expect(toolLines(TOOLS, new Map([['files', 120]])).map((line) => line.replaceAll(/ +/g, ' '))).toEqual([
      'files (120 tokens)',
      ' read looks',
      'memory: long-term',
      ' memory_write not offered',
      'web (loaded when needed)',
      ' web_fetch looks',
    ]);
  });

  it('tells of one tool what its calls meet, and of a name that there is none which there are [I2]', () => {
    expect(detailLines(TOOLS, 'web_fetch', 'default')).toEqual([
      'web_fetch: About it.',
      'a call looks; it stays here',
      'its results can be written by anybody',
      'policy default:',
      '  some: refused (a bad host)',
      '  always: asked',
    ]);
    expect(detailLines(TOOLS, 'memory_write', 'default')).toContain('not offered: it is off');
    expect(detailLines(TOOLS, 'wrong', 'default')).toEqual([
      'there is no tool wrong; there are: read, memory_write, web_fetch',
    ]);
  });
});
