import { create } from '@bufbuild/protobuf';
import { BranchEntrySchema } from '@bulkhead/protocol/client';
import { describe, expect, it } from 'vitest';
import { PastUpdates } from './past-updates.ts';

describe('a conversation that is shown again', () => {
  it('tells thoughts before what was said, and nothing of what was not', () => {
    const entry = create(BranchEntrySchema, {
      entryId: 'e',
      message: {
        role: {
          case: 'assistant',
          value: {
            parts: [
              { part: { case: 'thinking', value: { text: 'let me see' } } },
              { part: { case: 'text', value: { text: 'well' } } },
            ],
          },
        },
      },
    });
    const chunk = (sessionUpdate: string, text: string) => ({
      sessionUpdate,
      content: { type: 'text', text },
      messageId: 'e',
    });
    expect(new PastUpdates('/w').of(entry)).toEqual([
      chunk('agent_thought_chunk', 'let me see'),
      chunk('agent_message_chunk', 'well'),
    ]);
    const silent = create(BranchEntrySchema, {
      message: { role: { case: 'assistant', value: { parts: [] } } },
    });
    expect(new PastUpdates('/w').of(silent)).toEqual([]);
  });
});
