import { create } from '@bufbuild/protobuf';
import type { Grant } from '@bulkhead/actions/grants/grant';
import type { ToolchainOffer } from '@bulkhead/processes/boxes/toolchain-offers';
import type { CallOrigin } from '@bulkhead/protocol';
import { AllowToolchainsRequestSchema, ListToolchainsRequestSchema } from '@bulkhead/protocol/client';
import type { HandlerContext } from '@connectrpc/connect';
import { expect, it } from 'vitest';
import { grantCalls } from './grant-calls.ts';

const OWNER: CallOrigin = { channel: 'cli', sender: { id: 'owner' } };
const context = { requestHeader: new Headers() } as HandlerContext;

/** Calls about one folder of programs. @returns what was kept, and the steps of the audit log */
function calls(origin: CallOrigin = OWNER) {
  const offer = {
    place: '/home/ada/.cargo/bin',
    programs: ['cargo'],
    folders: [{ path: '/home/ada/.cargo/bin', identity: '1' }],
    problems: [],
  };
  const now: ToolchainOffer[] = [offer];
  const kept: Grant[] = [];
  const steps: string[] = [];
  const made = grantCalls({
    approvals: {
      grants: {
        serving: () => [],
        list: () => kept,
        revoke: () => false,
        keep: () => expect.fail('not asked here'),
        everywhere: () => kept,
        keepEverywhere: (folders, { channel, sender, profile }) => {
          const holder = { sender: sender.id, channel, profile };
          const place = { scope: 'home', session: '', folder: '', identity: '' } as const;
          const targets = folders.map(({ path }) => path);
          const identities = folders.map(({ identity }) => identity);
          const grant: Grant = {
            id: 'g',
            kind: 'toolchain',
            targets,
            identities,
            ...place,
            holder,
            by: '',
            at: 1,
          };
          kept.push(grant);
          return grant;
        },
      },
    },
    audit: {
      append: async (inputs) => {
        steps.push(...inputs.map(({ step }) => step));
        return [];
      },
    },
    toolchains: async () => now,
    profile: 'work',
    originOf: () => origin,
  });
  const list = async () =>
    (await made.listToolchains(create(ListToolchainsRequestSchema), context)).toolchains;
  const allow = (place: string, digest: string) =>
    made.allowToolchains(create(AllowToolchainsRequestSchema, { toolchains: [{ place, digest }] }), context);
  return { now, offer, kept, steps, list, allow };
}

it('allows the folders that were shown, on record first, and lists them as allowed [A6]', async () => {
  const { list, allow, kept, steps } = calls();
  const [shown] = await list();
  expect(shown).toMatchObject({ place: '/home/ada/.cargo/bin', programs: ['cargo'], allowed: false });
  await allow(shown?.place ?? '', shown?.digest ?? '');
  expect(steps).toEqual(['APPROVED']);
  expect(kept).toMatchObject([{ targets: ['/home/ada/.cargo/bin'], holder: { profile: 'work' } }]);
  expect(await list()).toMatchObject([{ allowed: true }]);
});

it('allows nothing that is other than what was shown, or is no folder of programs [A6]', async () => {
  const { now, offer, list, allow, kept, steps } = calls();
  const [shown] = await list();
  now[0] = { ...offer, folders: [...offer.folders, { path: '/home/ada/.rustup', identity: '2' }] };
  await expect(allow(offer.place, shown?.digest ?? '')).rejects.toMatchObject({ code: 'blocked' });
  now[0] = { ...offer, folders: [{ path: '/home/ada/.cargo/bin', identity: '9' }] };
  await expect(allow(offer.place, shown?.digest ?? '')).rejects.toMatchObject({ code: 'blocked' });
  await expect(allow('/home/ada', shown?.digest ?? '')).rejects.toMatchObject({ code: 'not_found' });
  expect([kept, steps]).toEqual([[], []]);
});

it.each([
  { channel: 'api', sender: { id: 'program' } },
  { channel: 'telegram', sender: { id: 'owner' } },
  { channel: 'cli', sender: { id: 'guest' } },
])('allows nothing to anyone but the owner at a client: %j [A6]', async (origin) => {
  const { list, allow, kept } = calls(origin);
  const [shown] = await list();
  await expect(allow(shown?.place ?? '', shown?.digest ?? '')).rejects.toMatchObject({
    code: 'not_available',
  });
  expect(kept).toEqual([]);
});
