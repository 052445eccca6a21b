import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FlowService } from '@bulkhead/actions/flow/flow-service';
import { SHIPPED, shippedFlow } from '@bulkhead/actions/testing';
import type { AuditInput } from '@bulkhead/audit';
import { createMemorySessionStore, createSplitSessionStore } from '@bulkhead/sessions';
import { overlayFlowPolicy, parseFlowPolicy } from '@bulkhead/shield';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FOREIGN, flowStage } from '../testing/flow-stage.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'bulkhead-service-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const POLICY = overlayFlowPolicy(
  shippedFlow(),
  parseFlowPolicy(
    'version: 1\ntools: [{ tool: mine, effect: send, result: { writer: external } }]',
    '/h/ifc.yaml',
  ),
);

/** A session that has read a secret and something foreign, and the service. */
async function open(options: { readonly offTheRecord?: boolean; readonly whileNoted?: () => void } = {}) {
  const paths = ['secrets.txt', FOREIGN];
  const stage = flowStage(join(folder, 'flow.db'), {
    store: createSplitSessionStore(createMemorySessionStore(), createMemorySessionStore()),
    replies: [
      { calls: paths.map((path) => ['read', { path }] as const) },
      { text: 'done' },
      { text: '', waitMs: 500 },
    ],
  });
  const session = stage.sessions.create(folder, options.offTheRecord ?? false);
  await stage.say(session, 'Look at both.');
  const audited: AuditInput[] = [];
  const service = new FlowService({
    ...stage,
    clock: stage.time,
    audit: {
      append: async (entries) => {
        audited.push(...entries);
        options.whileNoted?.();
        return [];
      },
    },
    sessionOf: async (action) => (stage.actions(session).includes(action) ? session : undefined),
    policy: () => ({ tools: POLICY.tools, origins: POLICY.origins }),
  });
  return { ...stage, session, service, audited };
}

describe('FlowService', () => {
  it('declassifies as a person asked, after the audit log has it [F3] [U1]', async () => {
    using stage = await open();
    const { service, session, audited } = stage;
    await expect(service.declassify(session)).resolves.toEqual({
      before: { secrecy: 'restricted', trust: 'external' },
      now: { secrecy: 'public', trust: 'external' },
    });
    expect(audited).toEqual([
      { step: 'DECLASSIFIED', action: '', hash: '', session, tool: '', details: { secrecy: 'restricted' } },
    ]);
    expect(service.list(session)).toEqual([
      { kind: 'session', name: session, label: { secrecy: 'public', trust: 'external' } },
    ]);
  });

  it('lowers nothing that the audit log does not have [F3]', async () => {
    const whileNoted = () => {
      throw new Error('the disk is full');
    };
    using stage = await open({ whileNoted });
    await expect(stage.service.declassify(stage.session)).rejects.toThrow('the disk is full');
    await expect(stage.service.trust(stage.session, 'a@b.example')).rejects.toThrow('the disk is full');
    expect(stage.flows.labelOf(stage.session).secrecy).toBe('restricted');
  });

  it('does not cover what is read while it is noted: the session must be idle before and after [F3]', async () => {
    let begin = (): void => {};
    using stage = await open({ whileNoted: () => begin() });
    begin = () => {
      stage.send(stage.session, 'more', { content: 'Read on.' });
    };
    await expect(stage.service.declassify(stage.session)).rejects.toMatchObject({ code: 'busy' });
    await expect(stage.service.declassify(stage.session)).rejects.toMatchObject({ code: 'busy' });
    await stage.settle();
    expect(stage.flows.labelOf(stage.session).secrecy).toBe('restricted');
  });

  it('notes nothing of what was said off the record [S5]', async () => {
    using stage = await open({ offTheRecord: true });
    await stage.service.trust(stage.session, 'a@b.example');
    await stage.service.declassify(stage.session);
    expect(stage.audited.map(({ step, details }) => [step, details])).toEqual([
      ['VALUE_TRUSTED', {}],
      ['DECLASSIFIED', {}],
    ]);
    expect(stage.flows.labelOf(stage.session).secrecy).toBe('public');
  });

  it('lists what carries a label, and explains an action by its id alone [F3]', async () => {
    using stage = await open();
    const { service, session, labels, actions } = stage;
    labels.files.set('/w/b', { secrecy: 'internal', trust: 'external' });
    labels.files.set('/w/a', { secrecy: 'restricted', trust: 'workspace' });
    labels.stores.set('memory', { secrecy: 'internal', trust: 'external' });
    stage.flows.labelOf(session);
    expect(service.list('').map(({ kind, name }) => [kind, name])).toEqual([
      ['session', session],
      ['file', '/w/a'],
      ['file', '/w/b'],
      ['store', 'memory'],
      ['tool', 'mine'],
    ]);
    expect(service.list('').at(-1)?.annotatedBy).toBe('/h/ifc.yaml');
    const [action = ''] = actions(session);
    await expect(service.explain(action, '')).resolves.toMatchObject({
      sessionId: session,
      call: { tool: 'read' },
    });
    await expect(service.explain(action, session)).resolves.toMatchObject({ annotatedBy: SHIPPED });
    await expect(service.explain('unknown', '')).rejects.toMatchObject({ code: 'not_found' });
    await expect(service.explain('unknown', session)).rejects.toMatchObject({ code: 'not_found' });
    await expect(service.explain(action, 'no session')).rejects.toMatchObject({ code: 'not_found' });
    expect(() => service.list('no session')).toThrow(expect.objectContaining({ code: 'not_found' }));
  });

  it.each(['', '  ', 'x'.repeat(2_001)])('refuses what is no value to trust', async (value) => {
    using stage = await open();
    await expect(stage.service.trust(stage.session, value)).rejects.toMatchObject({ code: 'usage' });
    expect(stage.audited).toEqual([]);
  });
});
