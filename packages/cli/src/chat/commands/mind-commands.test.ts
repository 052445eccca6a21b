import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { CommandStage } from '../../testing/command-stage.ts';

describe('commands of the chat on compaction, rules, memory and skills', () => {
  it('compacts with a focus, and says how to undo it', async () => {
    const calls: unknown[] = [];
    await using stage = await CommandStage.open({
      compactSession: ({ sessionId, focus }) => {
        calls.push([sessionId, focus]);
        return { entryId: 'e9', undoEntryId: 'e8' };
      },
    });
    expect(await stage.enter('/compact keep the  design')).toContain(
      'undo with: bulkhead sessions move session-1 e8\n',
    );
    expect(calls).toEqual([['session-1', 'keep the  design']]);
  });

  it('pins, lists and removes rules, shown harmless', async () => {
    const rules: string[] = [];
    await using stage = await CommandStage.open({
      pinRule: ({ rule }) => {
        rules.push(rule);
        return { rules };
      },
      listRules: () => ({ rules }),
      unpinRule: ({ number }) => ({ rules: rules.splice(number - 1, 1) && rules }),
    });
    expect(await stage.enter('/pins')).toBe('no rule is pinned\n');
    expect(await stage.enter('/pin be \x1b[31mbrief')).toBe('1. be \\x1b[31mbrief\n');
    expect(await stage.enter('/pin say why')).toContain('2. say why\n');
    expect(await stage.enter('/unpin')).toBe('/unpin needs the number of a rule, see /pins');
    await expect(stage.enter('/unpin two')).rejects.toThrow('"two" is not the number of a rule');
    expect(await stage.enter('/unpin 1')).toBe('1. say why\n');
  });

  it('searches memory and lists its files, shown harmless', async () => {
    await using stage = await CommandStage.open({
      searchMemory: ({ query }) => ({
        hits: [
          { path: 'MEMORY.md', heading: 'Tea', text: `- \x1b]0;x\x07${query}`, firstLine: 3, lastLine: 3 },
        ],
      }),
      showMemory: () => ({ files: [{ path: 'USER.md', entries: 2 }], folder: '/h' }),
    });
    const found = await stage.enter('/memory green tea');
    expect(found).toContain('green tea\n');
    expect(found).toContain('MEMORY.md:3-3');
    expect(found).not.toContain('\x1b]');
    expect(await stage.enter('/memory')).toContain('USER.md');
  });

  it('reports a long search, and stops waiting for it when that is cancelled [M3]', async () => {
    await using stage = await CommandStage.open({
      searchMemory: async () => {
        await sleep(20_000, undefined, { ref: false });
        return { hits: [] };
      },
    });
    const cancel = new AbortController();
    const entered = stage.enter('/memory cabin', cancel.signal);
    await stage.environment.until('… reading changes, then searching, 2 s\n');
    cancel.abort();
    await expect(entered).rejects.toMatchObject({ code: 'cancelled' });
  });

  it("lists skills and templates of the session's folder", async () => {
    const folders: string[] = [];
    await using stage = await CommandStage.open({
      listSkills: ({ workingFolder }) => {
        folders.push(workingFolder);
        return { skills: [{ name: 'mail', description: 'Writes mail' }] };
      },
      inspectFolder: () => ({}),
      listTemplates: ({ workingFolder }) => {
        folders.push(workingFolder);
        return { templates: [{ name: 'fix-it', description: 'Fixes' }] };
      },
    });
    expect(await stage.enter('/skills')).toContain('/fix-it  Fixes\n');
    expect(folders).toEqual(['/work', '/work']);
  });
});

describe('commands of the chat on its session', () => {
  it('fork, name, account for and change the session', async () => {
    const calls: unknown[] = [];
    const saw =
      <T>(answer: T) =>
      (request: object) => {
        calls.push(request);
        return answer;
      };
    await using stage = await CommandStage.open({
      forkSession: saw({ sessionId: 'forked' }),
      setTitle: saw({}),
      readUsage: saw({
        rows: [{ calls: 2, failed: 1, inputTokens: 1_500n, outputTokens: 20n, cost: 0.25, unpriced: 1 }],
      }),
    });
    await stage.enter('/title a better name');
    expect(await stage.enter('/cost')).toBe(
      'this session: 2 calls (1 failed), 1,500 tokens in, 20 out, $0.2500 + unknown price: 1 call\n',
    );
    await stage.enter('/fork e7');
    await stage.enter('/new');
    await stage.enter('/session old');
    expect(stage.opened).toEqual(['forked', undefined, 'old']);
    expect(calls).toMatchObject([
      { sessionId: 'session-1', title: 'a better name' },
      { sessionId: 'session-1' },
      { sessionId: 'session-1', entryId: 'e7' },
    ]);
    expect(await stage.enter('/help')).toContain('/sessions');
    await stage.enter('/quit');
    expect(stage.left).toBe(true);
  });

  it('list sessions, with a mark on the current one', async () => {
    await using stage = await CommandStage.open({
      listSessions: () => ({
        sessions: [
          { sessionId: 'other', title: 'a\x1b]0;y\x07 title', messages: 2 },
          { sessionId: 'session-1', messages: 0 },
          { sessionId: 'empty', messages: 0 },
        ],
      }),
    });
    expect(await stage.enter('/sessions')).toMatch(/^ {2}other {2}.*a\\x1b\]0;y title\n\* session-1 .*\n$/);
  });

  it('choose the model and whether its thinking is shown', async () => {
    await using stage = await CommandStage.open();
    expect(await stage.enter('/model')).toBe('model: offline/echo\n');
    expect(await stage.enter('/model nonsense')).toContain('/model needs PROVIDER/MODEL');
    expect(await stage.enter('/model openai/x')).toBe('model: openai/x\n');
    expect(await stage.enter('/thinking')).toBe('thinking is shown\n');
    expect(stage.view.showThinking).toBe(true);
  });

  it('name another model that a restarted engine uses', async () => {
    await using stage = await CommandStage.open();
    stage.engine.model = 'p/another';
    expect(await stage.tellIfAnother()).toBe('the model is now p/another\n');
    expect(await stage.enter('/model')).toBe('model: p/another\n');
  });

  it('send a message after the run or instead of it, and withdraw the last one that waits', async () => {
    await using stage = await CommandStage.open({ cancelRun: () => ({ cancelled: true }) });
    await stage.enter('/queue later');
    await stage.enter('/now stop');
    expect(stage.sent).toEqual([
      ['later', 'queue'],
      ['stop', 'now'],
    ]);
    expect(await stage.enter('/unqueue')).toBe('withdrawn: mine …\n');
    stage.waiting = ['m1'];
    expect(await stage.enter('/unqueue')).toBe('no queued message of yours\n');
  });
});
