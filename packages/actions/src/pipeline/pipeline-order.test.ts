import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { YES } from '../testing/answers.ts';
import { noLabels, noSnapshots } from '../testing/no-stages.ts';
import { allow, pipelineStage } from '../testing/pipeline-stage.ts';

const PAGE = join(import.meta.dirname, '../../../../docs/foundation.md');

it('goes through its stages in the order that docs/foundation.md gives', async () => {
  const stage = pipelineStage(
    {
      labels: {
        ...noLabels,
        decide: () => {
          stage.order.push('flow');
          return { says: 'allow' };
        },
      },
      snapshots: { ...noSnapshots, take: async () => void stage.order.push('snapshot') },
      hostOf: () => ({
        execute: async () => {
          stage.order.push('execute');
          return { text: 'done', isError: false };
        },
        plan: async () => {
          stage.order.push('plan');
          return { text: 'would write', isError: false, changes: [{ path: 'a', before: null, after: 'ff' }] };
        },
        inspect: async () => [],
      }),
    },
    { ...allow, decision: 'escalate' },
  );
  const running = stage.run('{"path":"a"}', 'ask');
  await expect.poll(() => stage.approvals.open).toHaveLength(1);
  const [question] = stage.approvals.open;
  stage.approvals.decide({ approval: question?.id ?? '', session: 's', hash: question?.hash ?? '' }, YES);
  await running;
  expect(stage.order).toEqual(orderInDocs());
});

/** The lines of the page's block marked as the order of the pipeline. */
function orderInDocs(): readonly string[] {
  const block = /```pipeline\n(?<lines>[^`]*)```/.exec(readFileSync(PAGE, 'utf8'))?.groups?.['lines'] ?? '';
  return block.split('\n').flatMap((line) => line.split('  ')[0]?.trim() || []);
}
