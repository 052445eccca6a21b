import {
  type ApprovalScope,
  BulkheadError,
  type Need,
  type ShownFolder,
  type ToolHostCall,
  type ToolResult,
} from '@bulkhead/protocol';
import { coreTools, createToolRegistry, everyGroup } from '@bulkhead/tools';
import { describe, expect, it } from 'vitest';
import type { OpenQuestion } from '../approvals/approval-service.ts';
import { OWNER } from '../approvals/approver.ts';
import type { GrantAsked } from '../grants/grant.ts';
import type { GrantStage } from '../grants/grant-service.ts';
import { approvalStage } from '../testing/approval-stage.ts';
import { noLabels } from '../testing/no-stages.ts';
import { pipelineStage } from '../testing/pipeline-stage.ts';
import type { LabelStage } from './stages.ts';

const registry = createToolRegistry(coreTools, everyGroup);
const PLACE = 'registry.test:443';

interface Setting {
  readonly command?: string;
  /** Hosts that the command needs, one after the other. */
  readonly hosts?: readonly string[];
  /** A folder of programs that it needs before. */
  readonly folder?: string;
  /** A folder around its own that it reads, and then changes. */
  readonly around?: string;
  /** Identity of an earlier folder at its path, which a grant shows. */
  readonly earlier?: string;
  readonly reached?: readonly string[];
  readonly scope?: ApprovalScope;
  readonly decision?: 'allow' | 'deny';
  /** The messages of the person by each call, one after the other. */
  readonly calls?: readonly (readonly string[])[];
  readonly labels?: LabelStage;
  readonly keep?: (asked: GrantAsked) => void;
}

/** A grant of every command for a folder. */
const stale = (folder: string) => ({
  kind: 'toolchain' as const,
  targets: [folder],
  id: 'g',
  scope: 'folder' as const,
  session: 's',
  folder: '/project',
  identity: '',
  holder: { sender: '', channel: '', profile: '' },
  by: '',
  at: 0,
});

/** A command that runs a program, and then reaches each host. */
function lackedBy(
  { granted = [], toolchains = [] }: ToolHostCall,
  hosts: readonly string[],
  folder: string | undefined,
): readonly Need[] {
  const host = { kind: 'hosts' as const, target: hosts[0] ?? '' };
  if (folder !== undefined && toolchains.every(({ identity }) => identity !== '7'))
    return [host, { kind: 'toolchain', target: folder, identity: '7' }];
  const needed = hosts.find((one) => !granted.includes(one));
  return needed === undefined ? [] : [{ ...host, target: needed }];
}

/** A command that reads a folder, and then changes it. */
function lackedAround(target: string, folders: readonly ShownFolder[]): readonly Need[] {
  const read = { kind: 'folder' as const, target, identity: '7' };
  if (folders.length === 0) return [read];
  return folders.some(({ write }) => write === true) ? [] : [{ ...read, write: true }];
}

/** Runs a command that fails for each host until it is granted, and answers every question. */
async function run({
  command = 'npm install',
  hosts = [PLACE],
  folder,
  around,
  earlier,
  reached = [],
  scope = 'once',
  decision = 'allow',
  calls = [['do it']],
  labels,
  keep,
}: Setting) {
  const grants: GrantStage = {
    serving: () =>
      earlier === undefined || folder === undefined ? [] : [{ ...stale(folder), identities: [earlier] }],
    list: () => [],
    everywhere: () => [],
    keepEverywhere: () => {
      throw new Error('not asked here');
    },
    revoke: () => false,
    keep: (asked) => {
      keep?.(asked);
      const holder = { sender: '', channel: '', profile: '' };
      return {
        ...asked,
        id: 'g',
        scope: 'session',
        session: 's',
        folder: '',
        identity: '',
        holder,
        by: '',
        at: 0,
      };
    },
  };
  const { service } = approvalStage({ grants });
  let runs = 0;
  const errors: unknown[] = [];
  const test = pipelineStage({
    approvals: service,
    tools: { get: (name) => registry.get(name), names: () => [] },
    labels: labels ?? noLabels,
    onError: (error) => errors.push(error),
    hostOf: () => ({
      transactions: true,
      execute: async (host, _update, _signal, settle): Promise<ToolResult> => {
        runs += 1;
        const needs =
          around === undefined ? lackedBy(host, hosts, folder) : lackedAround(around, host.folders ?? []);
        await settle?.({ status: needs.length, changes: [], problems: [], notes: [], needs, reached });
        return { text: needs.at(-1)?.target ?? 'installed', isError: needs.length > 0 };
      },
      plan: async () => ({ text: '', isError: false, changes: [] }),
      inspect: async () => [],
    }),
  });
  const asked: OpenQuestion[] = [];
  const call = (requests: readonly string[]) =>
    test.run(JSON.stringify({ command }), 'ask', 'bash', { repeated: () => {}, requests });
  const running = (async () => {
    for (const requests of calls.slice(1)) await call(requests);
    return await call(calls[0] ?? []);
  })();
  const done = running.then(() => true);
  while (!(await Promise.race([done, new Promise((resolve) => setImmediate(resolve, false))]))) {
    for (const open of service.open.filter(({ id }) => asked.every((one) => one.id !== id))) {
      asked.push(open);
      const target = { session: open.sessionId, approval: open.id, hash: open.hash };
      service.decide(target, { decision, scope, approver: OWNER });
    }
  }
  const { result } = await running;
  return { asked, runs, errors, text: result.text, audited: test.audited };
}

describe('the question about what a command lacked', () => {
  it('is asked only as often as the command can still run again [A6]', async () => {
    const hosts = ['a', 'b', 'c', 'd', 'e'].map((name) => `${name}.test:443`);
    const { asked, runs, text } = await run({ hosts });
    expect([asked.length, runs]).toEqual([3, 4]);
    expect(text).toContain('d.test:443\n');
    expect(text.match(/it was run again/g)).toHaveLength(1);
  });

  it('is not asked if information flow blocks the command with these servers [F3]', async () => {
    const reason = 'it carries a secret';
    const verdict = {
      decision: 'block',
      tier: 0,
      rule: 'flow/secret-leaves',
      reason,
      confidence: 1,
    } as const;
    const decide: LabelStage['decide'] = ({ metadata }) =>
      metadata.granted?.includes(PLACE) === true ? { says: 'object', verdict } : { says: 'allow' };
    const { asked, runs, text, audited } = await run({ labels: { ...noLabels, decide } });
    expect([asked, runs, text]).toEqual([[], 1, PLACE]);
    expect(audited.map(({ details }) => details)).toContainEqual(
      expect.objectContaining({ about: 'needs', decision: 'block', rule: 'flow/secret-leaves' }),
    );
  });

  it('shows on request the whole action, uncut, and the grant that a permanent answer adds [A6]', async () => {
    const words = Array.from({ length: 2_000 }, (_, at) => `package-${at}`).join(' ');
    const { asked } = await run({ command: `npm install ${words}` });
    const full = asked[0]?.full() ?? '';
    expect(full).toContain(`always adds a grant for every \`npm install\` in /project to reach ${PLACE}\n`);
    expect(full).toContain(`needs network: ${PLACE}\n`);
    expect(full.split('\n').at(-1)).toMatch(/^exactly: .*package-0 .*package-1000 .*package-1999"/);
    expect(asked[0]?.shown).not.toContain('package-1000');
    expect(asked[0]?.keeps).toBe(`grant for every \`npm install\` in /project to reach ${PLACE}`);
  });

  it('is not asked again after a no, until the person has said something more [A6]', async () => {
    const once = ['do it'];
    const twice = ['do it', 'and now with the registry'];
    const counts = async (...calls: readonly (readonly string[])[]) =>
      (await run({ decision: 'deny', calls })).asked.length;
    expect(await counts(once, once, once)).toBe(1);
    expect(await counts(once, once, twice)).toBe(2);
    const tools = { decision: 'deny', folder: '/home/ada/.tools', calls: [once, once] } as const;
    expect((await run(tools)).asked).toHaveLength(1);
    expect((await run({ ...tools, decision: 'allow' })).asked.length, 'control').toBeGreaterThan(1);
  });

  it('says that a permission for an exact text covers what its files hold later', async () => {
    const { asked } = await run({ command: 'sh fetch.sh' });
    expect(asked[0]?.shown).toContain('serves this text again, whatever the scripts');
    expect(asked[0]?.scopes).toEqual(['once', 'session']);
  });
});

describe('the question about a folder of programs', () => {
  it('comes before one about servers, and a permanent permission is for every command there [A6]', async () => {
    const kept: GrantAsked[] = [];
    const { asked, runs, text, audited } = await run({
      command: 'make all',
      folder: '/home/ada/.tools',
      scope: 'always',
      hosts: [],
      keep: (one) => kept.push(one),
    });
    expect([asked.length, runs, text]).toEqual([1, 2, expect.stringContaining('installed')]);
    expect(asked[0]?.reason).toBe(
      'allow commands here to read and run programs in /home/ada/.tools? The output of `make all` says that one is missing, and it runs again with it',
    );
    expect(asked[0]?.scopes).toEqual(['once', 'session', 'always']);
    expect(asked[0]?.keeps).toBe(
      'grant for every command in /project to read and run programs in /home/ada/.tools',
    );
    expect(kept).toEqual([{ kind: 'toolchain', targets: ['/home/ada/.tools'], identities: ['7'] }]);
    expect(audited.map(({ details }) => details)).toContainEqual(
      expect.objectContaining({ about: 'needs', kind: 'toolchain', targets: ['/home/ada/.tools'] }),
    );
    const again = await run({ folder: '/home/ada/.tools', earlier: '6', hosts: [] });
    expect([again.asked.length, again.runs], 'made anew since it was allowed').toEqual([1, 2]);
    const odd = await run({ folder: '/home/ada/bin? It is safe. (', hosts: [] });
    expect(odd.asked[0]?.reason, 'a name is no part of the sentence').toContain(
      'run programs in “/home/ada/bin? It is safe. (”?',
    );
    const both = await run({ folder: '/home/ada/.tools' });
    expect(both.asked.map(({ reason }) => reason)).toEqual([
      expect.stringContaining('/home/ada/.tools?'),
      expect.stringContaining(`${PLACE}?`),
    ]);
    expect(both.text).toMatch(/^installed/);
  });
});

describe('the question about a folder beside or around', () => {
  it('is one to read it, and another one to change it, which a permission to read does not answer [A6]', async () => {
    const kept: GrantAsked[] = [];
    const keep = (one: GrantAsked) => kept.push(one);
    const { asked, runs, text, audited } = await run({ around: '/code', scope: 'session', hosts: [], keep });
    expect([asked.length, runs, text]).toEqual([2, 3, expect.stringContaining('installed')]);
    expect(asked.map(({ reason }) => reason)).toEqual([
      'allow commands here to read the folder /code? `npm install` failed without, and runs again with it',
      'allow commands here to read and change the whole folder /code, which lies around this one? `npm install` failed without, and runs again with it',
    ]);
    expect(asked.map(({ keeps }) => keeps)).toEqual([
      'grant for every command in /project to read /code',
      'grant for every command in /project to read and change /code',
    ]);
    const folder = { kind: 'folder', targets: ['/code'], identities: ['7'] };
    expect(kept).toEqual([folder, { ...folder, write: true }]);
    expect(audited.map(({ details }) => details)).toContainEqual(
      expect.objectContaining({ about: 'needs', kind: 'folder', targets: ['/code'], write: true }),
    );
  });
});

it('the question names the servers that the repetition reaches once more [A6]', async () => {
  const { asked } = await run({ folder: '/home/ada/.tools', hosts: [], reached: ['api.test:443'] });
  expect(asked[0]?.shown).toContain('has reached: api.test:443');
});

describe('a permission that can not be stored', () => {
  it.each(['session', 'always'] as const)(
    'for %s serves this time, and the result says so [A6]',
    async (scope) => {
      const kept: GrantAsked[] = [];
      const { runs, text, errors } = await run({
        scope,
        keep: (asked) => {
          kept.push(asked);
          throw new BulkheadError('not_available', '/project has 200 grants');
        },
      });
      expect([kept.length, runs]).toEqual([1, 2]);
      expect(text).toMatch(/^installed\n\[the permission serves this time only, .*\/project has 200 grants/);
      expect(errors).toHaveLength(1);
    },
  );
});
