import { describe, expect, it } from 'vitest';
import { refusesNameSpaces } from './probe-boxes.ts';

const said = (step: string, errno: number) => `bulkhead-launcher: ${step}: errno ${errno}`;

describe("a launcher's report about name spaces", () => {
  it.each([
    ['make name spaces', 1],
    ['make name spaces', 28],
    ['make name spaces', 38],
    ['open /proc/self/setgroups', 13],
    ['write /proc/self/uid_map', 1],
    ['make mounts private', 13],
    ['mount /proc', 1],
  ])('is a refusal of this system: %s, errno %i', (step, errno) => {
    expect(refusesNameSpaces(said(step, errno))).toBe(true);
  });

  it.each([
    // Messages that count as a refusal, and our own mistakes.
    ['make name spaces', 12],
    ['make name spaces', 11],
    ['mount /proc', 5],
    ['find the current folder', 2],
    ['open granted /x', 13],
    ['open without links /x', 40],
    ['make file /x', 28],
    ['grant /x', 1],
    ['apply system call filter', 1],
  ])('is a failure of the box: %s, errno %i', (step, errno) => {
    expect(refusesNameSpaces(said(step, errno))).toBe(false);
  });

  it.each(['', 'the probe ended early (1)', 'bulkhead-launcher: parent is gone'])(
    'is a failure where it names no errno: %s',
    (line) => expect(refusesNameSpaces(line)).toBe(false),
  );
});
