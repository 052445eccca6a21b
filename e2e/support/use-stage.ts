import { afterAll, afterEach, beforeEach } from 'vitest';
import { Stage } from './stage.ts';

/** A fresh stage for each test of the file, cleared away after it whatever happened. */
export function useStage(): () => Stage {
  let stage: Stage | undefined;
  beforeEach(() => {
    stage = new Stage();
  });
  afterEach(async () => {
    const ended = stage;
    stage = undefined;
    await ended?.[Symbol.asyncDispose]();
  });
  return () => stageOf(stage);
}

/**
 * One stage for all tests of the file, each with its own working folder, sessions and model. The engine goes
 * on from test to test while its configuration stays the same; after a failed test, or one that leaves work
 * in it, the next has a fresh stage. For tests that look at nothing that sessions share.
 */
export function useSharedStage(): () => Stage {
  let stage: Stage | undefined;
  const end = async () => {
    const ended = stage;
    stage = undefined;
    await ended?.[Symbol.asyncDispose]();
  };
  beforeEach(async () => {
    stage ??= await Stage.shared();
  });
  afterEach(async ({ task }) => {
    if (task.result?.state === 'fail' || !(await stageOf(stage).isQuiet())) await end();
    else await stage?.nextTest();
  });
  afterAll(end);
  return () => stageOf(stage);
}

function stageOf(stage: Stage | undefined): Stage {
  if (stage === undefined) throw new Error('there is a stage only within a test');
  return stage;
}
