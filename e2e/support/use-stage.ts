import { afterEach, beforeEach } from 'vitest';
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
  return () => {
    if (stage === undefined) throw new Error('there is a stage only within a test');
    return stage;
  };
}
