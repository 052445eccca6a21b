import type { AcceptedInput } from '@bulkhead/log/session/accepted-input';
import type { Delivery } from '@bulkhead/protocol/records';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sentMessage } from '../testing/run-stage.ts';
import { WaitingMessages } from './waiting-messages.ts';

const deliveries: readonly Delivery[] = ['follow_up', 'steer', 'interrupt'];

/** Something done with the queue. */
const anyStep = fc.oneof(
  fc.record({
    do: fc.constant('add' as const),
    delivery: fc.constantFrom(...deliveries),
    dryRun: fc.boolean(),
  }),
  fc.record({ do: fc.constant('run' as const), mode: fc.constantFrom('one' as const, 'all' as const) }),
  fc.record({ do: fc.constant('steer' as const), mode: fc.constantFrom('one' as const, 'all' as const) }),
  fc.record({ do: fc.constant('remove' as const), at: fc.nat(20) }),
);

type Step = typeof anyStep extends fc.Arbitrary<infer Value> ? Value : never;

/** @returns what the queue gave out */
function carryOut(step: Step, queue: WaitingMessages, added: AcceptedInput[]): readonly AcceptedInput[] {
  if (step.do === 'run') return queue.takeForRun(step.mode);
  if (step.do === 'steer') return queue.takeSteers(sentMessage('running'), step.mode);
  if (step.do === 'remove') return [queue.remove(`m${step.at}`)].filter((input) => input !== undefined);
  const options = { ...sentMessage('').options, dryRun: step.dryRun };
  const input = sentMessage(`m${added.length}`, { delivery: step.delivery, options });
  added.push(input);
  queue.add(input);
  return [];
}

const ids = (inputs: readonly AcceptedInput[]) => inputs.map(({ messageId }) => messageId);

describe('WaitingMessages', () => {
  it('gives out every message once, whatever is done, and keeps those of a kind in order [L8]', () => {
    fc.assert(
      fc.property(fc.array(anyStep, { maxLength: 60 }), (steps) => {
        const queue = new WaitingMessages();
        const added: AcceptedInput[] = [];
        const out = steps.flatMap((one) => ids(carryOut(one, queue, added)));
        while (!queue.isEmpty) out.push(...ids(queue.takeForRun('one')));
        expect(out.toSorted()).toEqual(ids(added).toSorted());
      }),
      { numRuns: 300 },
    );
  });

  it('gives out interrupts before all others, and all in their order', () => {
    const queue = new WaitingMessages();
    for (const [id, delivery] of [
      ['a', 'follow_up'],
      ['b', 'interrupt'],
      ['c', 'steer'],
      ['d', 'interrupt'],
    ] as const) {
      queue.add(sentMessage(id, { delivery }));
    }
    const order: string[] = [];
    while (!queue.isEmpty) order.push(...ids(queue.takeForRun('one')));
    expect(order).toEqual(['b', 'd', 'a', 'c']);
  });

  it.each([
    ['a dry run', { dryRun: true }],
    ['one that may ask nobody', { approve: 'ask' as const }],
    ['another model', { model: 'other/m' }],
  ])('lets no message join a run under rules it was not sent with: %s [L8]', (_what, options) => {
    const queue = new WaitingMessages();
    const running = sentMessage('running');
    queue.add(sentMessage('s', { delivery: 'steer', options: { ...running.options, ...options } }));
    expect(queue.takeSteers(running, 'all')).toEqual([]);
    expect(ids(queue.takeForRun('one'))).toEqual(['s']);
  });

  it('lets no message of another sender or channel join a run [A6]', () => {
    const at = (channel: string, id: string): AcceptedInput =>
      sentMessage('m', { delivery: 'steer', origin: { channel, sender: { id }, profile: 'default' } });
    const joins = (running: AcceptedInput, steer: AcceptedInput): boolean => {
      const queue = new WaitingMessages();
      queue.add(steer);
      return queue.takeSteers(running, 'all').length === 1;
    };
    expect(joins(at('cli', 'owner'), at('cli', 'owner'))).toBe(true);
    expect(joins(at('cli', 'owner'), at('web', 'owner'))).toBe(false);
    expect(joins(at('api', 'one'), at('api', 'two'))).toBe(false);
  });

  it('tells news once', () => {
    const queue = new WaitingMessages();
    expect(queue.news()).toEqual([]);
    queue.add(sentMessage('a'));
    expect(queue.news()).toEqual([{ type: 'queue_update', steer: [], followUp: ['a'] }]);
    expect(queue.news()).toEqual([]);
    queue.takeForRun('one');
    expect(queue.news()).toEqual([{ type: 'queue_update', steer: [], followUp: [] }]);
  });
});
