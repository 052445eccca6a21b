import type { EventBody } from '@bulkhead/protocol';
import { describe, expect, it } from 'vitest';
import { OpenQuestions } from './open-questions.ts';

const asked = (approval: string): EventBody => ({
  type: 'approval_requested',
  approval,
  action: `of ${approval}`,
  hash: 'ff',
  tool: 'bash',
  shown: '',
  reason: '',
  expires: '',
});
const decided = (approval: string): EventBody => ({
  type: 'approval_decided',
  approval,
  action: `of ${approval}`,
  hash: 'ff',
  decision: 'deny',
  by: 'timeout',
});

function openAfter(...bodies: readonly (EventBody & { readonly turn?: string })[]): string[] {
  const questions = new OpenQuestions();
  for (const body of bodies) questions.take({ seq: 1, time: 't', session: 's', turn: 'r', ...body });
  return questions.all.map(({ approval }) => approval);
}

describe('OpenQuestions', () => {
  it('holds what was asked and not decided, in order', () => {
    expect(openAfter(asked('a'), asked('b'), asked('c'), decided('b'))).toEqual(['a', 'c']);
  });

  it('ends the questions of a run with it, and no others', () => {
    const end: EventBody = { type: 'agent_end', message: 'm' };
    expect(openAfter({ ...asked('a'), turn: 'old' }, asked('b'), { ...end, turn: 'old' })).toEqual(['b']);
    expect(openAfter(asked('a'), { type: 'idle' })).toEqual([]);
  });
});
