import { expect, it } from 'vitest';
import { approvalFate } from './approval-fate.ts';

it.each([
  [{ accepted: true, decision: 'allow', by: 'person', scope: 'once' }, undefined],
  [
    { decision: 'allow', by: 'person', scope: 'session' },
    'it was allowed for this session from another of your windows',
  ],
  [{ decision: 'allow', by: 'person', scope: 'new' }, 'it was allowed from another of your windows'],
  [{ decision: 'deny', by: 'person' }, 'it was refused from another of your windows'],
  [{ decision: 'deny', by: 'timeout' }, 'its time was up, so it was refused'],
  [{ decision: 'deny', by: 'cancel' }, 'its run was cancelled, so it was refused'],
  [{ decision: 'allow', by: 'grant' }, 'it was decided without a person'],
  [{}, 'that question is open no more'],
])('tells of %j what became of it [A6]', (fields, told) => {
  const fate = { accepted: false, decision: '', by: '', scope: '', ...fields };
  expect(approvalFate(fate)).toBe(told === undefined ? undefined : `your answer changed nothing: ${told}`);
});
