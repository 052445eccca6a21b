import { afterAll, beforeAll, expect, it } from 'vitest';
import { GROUPS } from '../test/workbench/groups.ts';
import { Workbench } from '../test/workbench/workbench.ts';

/** Pieces of the workbench that must stay the same and unasked; `npm run workbench` plays all of them. */
const SHARE = [
  'git/merge',
  'git/stash',
  'editors/sed-in-place',
  'names/blanks-and-quotes',
  'names/hard-links',
  'jobs/exit-codes',
  'jobs/traps',
  'text/here-documents',
  'text/process-substitution',
  'text/find-and-xargs',
  'text/read-loop',
  'large-trees/deep-folders',
];

let workbench: Workbench;
beforeAll(async () => {
  workbench = await Workbench.open();
});
afterAll(async () => {
  await workbench[Symbol.asyncDispose]();
});

const pieces = GROUPS.flatMap((group) =>
  group.pieces.map((piece) => ({ id: `${group.name}/${piece.name}`, group, piece })),
);

it.each(SHARE)('%s gives the same result in the box, without a question [B2]', async (name) => {
  const found = pieces.find(({ id }) => id === name);
  if (found === undefined) throw new Error(`there is no piece ${name}`);
  expect(await workbench.play(found.group, found.piece)).toMatchObject({ verdict: 'same', details: [] });
});
