import { describe, expect, it } from 'vitest';
import { OpenRuns } from './open-runs.ts';

const call = (id: string, expires: number) => ({
  id,
  call: id,
  action: 'a',
  name: 'n',
  argumentsJson: '{}',
  expires,
});

describe('runs that wait for their programs', () => {
  it.each([400, -400, 3_650])(
    'are found until their calls are over, with a clock that is set by %d days [FT83]',
    (days) => {
      const time = { wall: 1_790_000_000_000, monotonic: 5 };
      const runs = new OpenRuns({ now: () => time.wall, monotonic: () => time.monotonic });
      const places = { caller: 'c', sessionId: 's', messageId: 'm', turn: 't', seq: 1 };
      runs.keep({
        ...places,
        told: [call('one', time.wall + 1_000)],
        untold: [call('two', time.wall + 60_000)],
      });
      time.wall += days * 86_400_000;
      time.monotonic += 59_999;
      expect(runs.find('c', [{ id: 'one' }])).toMatchObject(places);
      time.monotonic += 1;
      expect(runs.find('c', [{ id: 'one' }])).toBeUndefined();
    },
  );
});
