import { PassThrough } from 'node:stream';
import { create } from '@bufbuild/protobuf';
import {
  RollBackResponseSchema,
  type SnapshotSummary,
  SnapshotSummarySchema,
} from '@bulkhead/protocol/client';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Output } from '../output/output.ts';
import { conflictLines, restoredLines } from './rollback-lines.ts';
import { objectsChanged, sayWhile } from './rollback-progress.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('a rollback that takes its time [U2]', () => {
  it('says after 2 s, and then every 5, what goes on; nothing once it is over, whatever its end', async () => {
    const said: string[] = [];
    const work = Promise.withResolvers<string>();
    const outcome = sayWhile(work.promise, 'putting up to 9 objects back', (line) => said.push(line));
    await vi.advanceTimersByTimeAsync(1_999);
    expect(said).toEqual([]);
    await vi.advanceTimersByTimeAsync(10_001);
    expect(said).toEqual([
      '… putting up to 9 objects back, 2 s',
      '… putting up to 9 objects back, 7 s',
      '… putting up to 9 objects back, 12 s',
    ]);
    work.resolve('done');
    expect(await outcome).toBe('done');
    await expect(sayWhile(Promise.reject(new Error('no')), 'x', (line) => said.push(line))).rejects.toThrow(
      'no',
    );
    await vi.advanceTimersByTimeAsync(60_000);
    expect(said).toHaveLength(3);
  });

  it('counts what the action changed, or its whole answer, without what was taken back', () => {
    const of = (id: string, runId: string, changed: number, undoneBy = ''): SnapshotSummary =>
      create(SnapshotSummarySchema, { id, runId, changed, undoneBy });
    const list = [of('a', 'r', 3), of('b', 'r', 4), of('c', 'r', 5, 'z'), of('d', 's', 7)];
    expect(objectsChanged(list, 'a', false)).toBe(3);
    expect(objectsChanged(list, 'a', true)).toBe(7);
    expect(objectsChanged(list, 'unknown', true)).toBe(0);
  });
});

describe('progress of a rollback', () => {
  it('is listed by name, each folder before what is in it', () => {
    const output = new Output(new PassThrough(), {});
    const paths = ['b', 'a.txt', 'a/z', 'a', 'a/b/c', 'a/b', 'a b'];
    const response = create(RollBackResponseSchema, {
      restored: paths.map((path) => ({ path, from: 'missing', to: 'file' })),
      conflicts: paths.map((path) => ({ path, reason: 'r' })),
    });
    const sorted = ['a', 'a/b', 'a/b/c', 'a/z', 'a b', 'a.txt', 'b'];
    expect(restoredLines(response, output)).toEqual(sorted.map((path) => `  + file ${path}`));
    expect(conflictLines(response, output)).toEqual(sorted.map((path) => `  ! ${path} r`));
    expect(response.restored.map(({ path }) => path)).toEqual(paths);
  });
});
