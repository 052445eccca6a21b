import { Code, ConnectError } from '@connectrpc/connect';
import { describe, expect, it } from 'vitest';
import { ChatStage, CTRL_D } from '../../testing/chat-stage.ts';
import type { Script, ScriptedEngine } from '../../testing/scripted-engine.ts';

const echo: Script = async (run) => {
  run.start();
  run.say(`you said ${run.request.content.toUpperCase()}`);
  run.settle({ answer: 'x' });
};

/**
 * Enters lines (those that end with Tab as keys) in order, each after the expected answer to the
 * previous one.
 */
async function chatting(answers: ScriptedEngine['answers'], steps: readonly (readonly [string, string])[]) {
  await using stage = await ChatStage.open(echo, answers);
  const { environment, exit } = stage.chat();
  await environment.until('session session-1');
  for (const [entry, answer] of steps) {
    environment.stdin.write(entry.endsWith('\t') ? entry : `${entry}\r`);
    await environment.until(answer);
  }
  environment.stdin.write(CTRL_D);
  expect(await exit).toBe(0);
  const sent = stage.engine.received.map(({ content }) => content);
  return { out: environment.out(), sent, folder: stage.engine.created[0]?.workingFolder };
}

describe('what a person says about the mind in a chat', () => {
  it('compacts with a focus, and says the way back', async () => {
    const asked: unknown[] = [];
    const { sent } = await chatting(
      {
        compactSession: ({ sessionId, focus }) => {
          asked.push([sessionId, focus]);
          return { entryId: 'e9', undoEntryId: 'e8' };
        },
      },
      [['/compact keep the  design', 'back with: bulkhead sessions move session-1 e8\n']],
    );
    expect([asked, sent]).toEqual([[['session-1', 'keep the  design']], []]);
  });

  it('pins, lists and takes away rules, shown harmless', async () => {
    const rules: string[] = [];
    const { out } = await chatting(
      {
        pinRule: ({ rule }) => {
          rules.push(rule);
          return { rules };
        },
        listRules: () => ({ rules }),
        unpinRule: ({ number }) => ({ rules: rules.splice(number - 1, 1) && rules }),
      },
      [
        ['/pins', 'no rule is pinned\n'],
        ['/pin be \x1b[31mbrief', '1. be '],
        ['/pin say why', '2. say why\n'],
        ['/unpin', '/unpin needs the number of a rule, see /pins\n'],
        ['/unpin two', '"two" is no number of a rule'],
        ['/unpin 1', '1. say why\n'],
      ],
    );
    expect(rules).toEqual(['say why']);
    expect(out).not.toContain('\x1b[31m');
  });

  it('searches memory and lists its files, shown harmless', async () => {
    const { out } = await chatting(
      {
        searchMemory: ({ query }) => ({
          hits: [
            { path: 'MEMORY.md', heading: 'Tea', text: `- \x1b]0;x\x07${query}`, firstLine: 3, lastLine: 3 },
          ],
        }),
        showMemory: () => ({ files: [{ path: 'USER.md', entries: 2 }], folder: '/h' }),
      },
      [
        ['/memory green tea', 'green tea\n'],
        ['/memory', 'USER.md'],
      ],
    );
    expect(out).toContain('MEMORY.md:3-3');
    expect(out).not.toContain('\x1b]0;x\x07green');
  });

  it('lists skills and templates of the folder the session works in', async () => {
    const folders: string[] = [];
    const { folder } = await chatting(
      {
        listSkills: ({ workingFolder }) => {
          folders.push(workingFolder);
          return { skills: [{ name: 'mail', description: 'Writes mail' }] };
        },
        listTemplates: ({ workingFolder }) => {
          folders.push(workingFolder);
          return { templates: [{ name: 'fix-it', description: 'Fixes' }] };
        },
      },
      [['/skills', '/fix-it  Fixes\n']],
    );
    expect(folders).toEqual([folder, folder]);
  });

  it('sends what a template makes of an entry; without one the command is unknown and nothing is sent [SK3]', async () => {
    const asked: unknown[] = [];
    const { sent, out } = await chatting(
      {
        expandTemplate: ({ name, arguments: given, workingFolder }) => {
          asked.push([name, given, workingFolder !== '']);
          if (name !== 'fix-it') throw new ConnectError('there is no template', Code.NotFound);
          return { text: `Fix ${given}\nnow` };
        },
      },
      [
        ['/fix-it the door', 'you said FIX THE DOOR\nNOW'],
        ['/compat it', 'unknown command /compat (did you mean /compact?)\n'],
      ],
    );
    expect(asked).toEqual([
      ['fix-it', 'the door', true],
      ['compat', 'it', true],
    ]);
    expect(sent).toEqual(['Fix the door\nnow']);
    expect(out).toContain('(sent: Fix the door');
  });

  it('offers templates with Tab', async () => {
    const { sent } = await chatting(
      {
        listTemplates: () => ({ templates: [{ name: 'fix-it' }] }),
        expandTemplate: ({ name, arguments: given }) => ({ text: `${name}: ${given}` }),
      },
      [
        ['/fi\t', 'x-it '],
        ['door', 'you said FIX-IT: DOOR'],
      ],
    );
    expect(sent).toEqual(['fix-it: door']);
  });
});
