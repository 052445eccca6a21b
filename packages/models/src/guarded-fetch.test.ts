import { startScriptedModelServer } from '@bulkhead/testkit';
import { expect, it } from 'vitest';
import { createGuardedFetch } from './guarded-fetch.ts';

it('sends nothing to another origin, not even another port of the same host [P6]', async () => {
  const [own, other] = await Promise.all([startScriptedModelServer([]), startScriptedModelServer([])]);
  const guarded = createGuardedFetch(`${own.url}/v1`);
  await expect(guarded(`${other.url}/v1/models`)).rejects.toMatchObject({ retryable: false });
  await expect(guarded(new Request(`${other.url}/v1/models`))).rejects.toMatchObject({ retryable: false });
  expect((await guarded(`${own.url}/v1/models`)).status).toBe(200);
  await Promise.all([own.close(), other.close()]);
  expect([own.requests.length, other.requests.length]).toEqual([1, 0]);
});
