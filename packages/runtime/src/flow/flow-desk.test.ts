import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FlowDesk } from '@bulkhead/actions/flow/flow-desk';
import { SHIPPED } from '@bulkhead/actions/testing';
import type { AuditInput } from '@bulkhead/audit';
import { createMemorySessionStore, createSplitSessionStore } from '@bulkhead/sessions';
import { defaultFlowPolicy, overlayFlowPolicy, parseFlowPolicy } from '@bulkhead/shield';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FOREIGN, flowStage } from '../testing/flow-stage.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'bulkhead-desk-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const POLICY = overlayFlowPolicy(
  parseFlowPolicy(defaultFlowPolicy, SHIPPED),
  parseFlowPolicy(
    'version: 1\ntools: [{ tool: mine, effect: send, result: { writer: external } }]',
    '/h/ifc.yaml',
  ),
);

/** A session that has read a secret and something foreign, and the desk. */
async function open(options: { readonly offTheRecord?: boolean; readonly whileNoted?: () => void } = {}) {
  const paths = ['secrets.txt', FOREIGN];
  const stage = flowStage(join(folder, 'labels.db'), {
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
  const desk = new FlowDesk({
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
  return { ...stage, session, desk, audited };
}

describe('FlowDesk', () => {
  it('declassifies as a person asked, after the audit log has it [F3] [U1]', async () => {
    using stage = await open();
    const { desk, session, audited } = stage;
    await expect(desk.declassify(session)).resolves.toEqual({
      before: { secrecy: 'restricted', trust: 'external' },
      now: { secrecy: 'public', trust: 'external' },
    });
    expect(audited).toEqual([
      { step: 'DECLASSIFIED', action: '', hash: '', session, tool: '', details: { secrecy: 'restricted' } },
    ]);
    expect(desk.list(session)).toEqual([
      { kind: 'session', name: session, label: { secrecy: 'public', trust: 'external' } },
    ]);
  });

  it('lowers nothing that the audit log does not have [F3]', async () => {
    const whileNoted = () => {
      throw new Error('the disk is full');
    };
    using stage = await open({ whileNoted });
    await expect(stage.desk.declassify(stage.session)).rejects.toThrow('the disk is full');
    await expect(stage.desk.trust(stage.session, 'a@b.example')).rejects.toThrow('the disk is full');
    expect(stage.flows.labelOf(stage.session).secrecy).toBe('restricted');
  });

  it('does not cover what is read while it is noted: the session must be idle before and after [F3]', async () => {
    let begin = (): void => {};
    using stage = await open({ whileNoted: () => begin() });
    begin = () => {
      stage.send(stage.session, 'more', { content: 'Read on.' });
    };
    await expect(stage.desk.declassify(stage.session)).rejects.toMatchObject({ code: 'busy' });
    await expect(stage.desk.declassify(stage.session)).rejects.toMatchObject({ code: 'busy' });
    await stage.settle();
    expect(stage.flows.labelOf(stage.session).secrecy).toBe('restricted');
  });

  it('notes nothing of what was said off the record [S5]', async () => {
    using stage = await open({ offTheRecord: true });
    await stage.desk.trust(stage.session, 'a@b.example');
    await stage.desk.declassify(stage.session);
    expect(stage.audited.map(({ step, details }) => [step, details])).toEqual([
      ['VALUE_TRUSTED', {}],
      ['DECLASSIFIED', {}],
    ]);
    expect(stage.flows.labelOf(stage.session).secrecy).toBe('public');
  });

  it('lists what carries a label, and explains an action by its id alone [F3]', async () => {
    using stage = await open();
    const { desk, session, labels, actions } = stage;
    labels.files.set('/w/b', { secrecy: 'internal', trust: 'external' });
    labels.files.set('/w/a', { secrecy: 'restricted', trust: 'workspace' });
    labels.stores.set('memory', { secrecy: 'internal', trust: 'external' });
    stage.flows.labelOf(session);
    expect(desk.list('').map(({ kind, name }) => [kind, name])).toEqual([
      ['session', session],
      ['file', '/w/a'],
      ['file', '/w/b'],
      ['store', 'memory'],
      ['tool', 'mine'],
    ]);
    expect(desk.list('').at(-1)?.annotatedBy).toBe('/h/ifc.yaml');
    const [action = ''] = actions(session);
    await expect(desk.explain(action, '')).resolves.toMatchObject({
      sessionId: session,
      call: { tool: 'read' },
    });
    await expect(desk.explain(action, session)).resolves.toMatchObject({ annotatedBy: SHIPPED });
    await expect(desk.explain('unknown', '')).rejects.toMatchObject({ code: 'not_found' });
    await expect(desk.explain('unknown', session)).rejects.toMatchObject({ code: 'not_found' });
    await expect(desk.explain(action, 'no session')).rejects.toMatchObject({ code: 'not_found' });
    expect(() => desk.list('no session')).toThrow(expect.objectContaining({ code: 'not_found' }));
  });

  it.each(['', '  ', 'x'.repeat(2_001)])('refuses what is no value to trust', async (value) => {
    using stage = await open();
    await expect(stage.desk.trust(stage.session, value)).rejects.toMatchObject({ code: 'usage' });
    expect(stage.audited).toEqual([]);
  });
});
