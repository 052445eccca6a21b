import { expect, it } from 'vitest';
import { importProblem } from './import-problem.ts';

it('says what can’t be imported in a browser, and what to do instead [I3]', () => {
  expect(importProblem({ name: 'session.jsonl', size: 16 * 1024 * 1024 })).toBeUndefined();
  expect(importProblem({ name: 'session.HTML', size: 5 })).toContain('as JSON Lines');
  const large = importProblem({ name: 'session.jsonl', size: 50_000_000 });
  expect(large).toContain('50 MB');
  expect(large).toContain('bulkhead sessions import FILE');
});
