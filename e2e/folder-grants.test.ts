import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ApprovalAnswer } from '@bulkhead/protocol/client';
import { afterEach, describe, expect, it } from 'vitest';
import { auditLines } from './support/audit-steps.ts';
import { grammarProblems } from './support/event-grammar.ts';
import { ofType } from './support/event-lines.ts';
import { asking, Talk } from './support/talk.ts';
import { useSharedStage } from './support/use-stage.ts';
import { bash } from './support/waiting-command.ts';
import { sentMessages } from './support/wire-history.ts';

const stage = useSharedStage();
const beside = (path: string) => join(dirname(stage().folder), path);
afterEach(() => rmSync(beside('shared'), { recursive: true, force: true }));

function put(path: string, text: string): void {
  mkdirSync(dirname(beside(path)), { recursive: true, mode: 0o755 });
  writeFileSync(beside(path), text);
}

/** A session, and a model that runs the command of each message, if it is one of these. */
async function begin(folder: string, ...commands: readonly string[]) {
  await stage().model((request) => {
    const { role, text = '' } = sentMessages(request).at(-1) ?? {};
    if (role === 'user' && commands.includes(text)) return { toolCalls: [bash(text)] };
    return { text: role === 'tool' ? 'done' : 'a title' };
  });
  return await Talk.begin(stage(), folder);
}

describe('a command that needs a folder beside its own', () => {
  it('is one question that names it, runs again with it, and reads nothing else [A6] [A2]', async () => {
    put('shared/src/s.txt', 'from the sibling');
    put('shared/.env', 'canary');
    put('shared/keys/id_rsa', 'canary');
    put('other/o.txt', 'not allowed');
    mkdirSync(join(stage().userHome, '.ssh'), { recursive: true });
    writeFileSync(join(stage().userHome, '.ssh/id_test'), 'canary');
    symlinkSync(join(stage().userHome, '.ssh/id_test'), beside('shared/key'));
    const read = 'echo ran >> runs.txt; cat ../shared/src/s.txt';
    const attack = 'sh attack.sh; true';
    // A path in the command's own text would be judged before it runs.
    writeFileSync(
      join(stage().folder, 'attack.sh'),
      'cat ../shared/src/s.txt; grep -rh . ../shared; cat ../shared/.env ../shared/key ../other/o.txt; echo x > ../shared/new\n',
    );
    await using talk = await begin(stage().folder, read, attack);
    await talk.send('a', asking(read));
    const asked = await talk.answer(ApprovalAnswer.ALLOW_ALWAYS);
    expect(asked.reason).toContain(`read the folder ${beside('shared')}?`);
    expect(asked.shown).toContain(`needs the folder: ${beside('shared')}`);
    expect(asked.scopes).toEqual(['once', 'session', 'always']);
    const events = await talk.idleAfter('a');
    expect(grammarProblems(events)).toEqual([]);
    expect(ofType(events, 'action_completed').map(({ success }) => success)).toEqual([false, true]);
    expect(ofType(events, 'tool_output').map(({ text }) => text)).toEqual([
      expect.stringMatching(/^from the sibling\n?\[/),
    ]);
    expect(stage().read('runs.txt')).toBe('ran\n');
    const granted = auditLines(stage()).filter(
      ({ step, session }) => step === 'APPROVED' && session === talk.session,
    );
    expect(granted.map(({ details }) => details)).toEqual([
      expect.objectContaining({ about: 'needs', kind: 'folder', scope: 'always' }),
    ]);
    const { stdout } = await stage().cli(['grants', 'list']);
    expect(stdout).toContain(`may read ${beside('shared')} from ${stage().folder}`);
    // In another session of the folder: unasked and read-only.
    await using other = await Talk.begin(stage());
    await other.send('b', asking(attack));
    const later = await other.idleAfter('b');
    expect(ofType(later, 'approval_requested')).toEqual([]);
    const [output] = ofType(later, 'tool_output');
    expect(output?.text).toMatch(/^from the sibling.*new: Read-only file system/s);
    expect(output?.text).not.toMatch(/canary|not allowed/);
    expect(existsSync(beside('shared/new'))).toBe(false);
  });
});

describe('a command that changes a folder around its own', () => {
  it('is one question, and what it changes is one transaction with its own, undone as one [A6] [B2] [U2]', async () => {
    const around = stage().folder;
    const app = join(around, 'app');
    const at = (path: string) => join(around, path);
    for (const folder of ['app', 'shared']) mkdirSync(at(folder));
    writeFileSync(at('shared/s.txt'), 'before\n');
    writeFileSync(at('shared/.env'), 'canary');
    mkdirSync(join(stage().userHome, '.ssh'), { recursive: true });
    const key = join(stage().userHome, '.ssh/id_test');
    writeFileSync(key, 'canary');
    symlinkSync(key, at('shared/key'));
    writeFileSync(
      at('app/plant.sh'),
      'mkdir ../shared/.vscode; echo "{}" > ../shared/.vscode/tasks.json; cat ../shared/.env ../shared/key; echo x >> ../shared/key; true\n',
    );
    const write =
      'echo inside > in.txt; echo ran >> ../shared/s.txt && mkdir ../shared/made && echo new > ../shared/made/n.txt';
    const plant = 'sh plant.sh';
    const leave = 'sleep 600 & echo x > ../shared/left.txt';
    await using talk = await begin(app, write, plant, leave);
    await talk.send('a', asking(write));
    const asked = await talk.answer(ApprovalAnswer.ALLOW_SESSION);
    expect(asked.reason).toContain(`read and change the whole folder ${around}, which lies around this one?`);
    const events = await talk.idleAfter('a');
    expect(grammarProblems(events)).toEqual([]);
    const [, completed] = ofType(events, 'action_completed');
    expect(completed).toMatchObject({ success: true, effects: { kept: true, created: 3, changed: 1 } });
    expect(readFileSync(at('shared/s.txt'), 'utf8')).toBe('before\nran\n');
    expect(readFileSync(at('shared/made/n.txt'), 'utf8')).toBe('new\n');
    expect(readFileSync(at('app/in.txt'), 'utf8')).toBe('inside\n');
    // Unasked from now on, but what runs later is judged there as well.
    await talk.send('b', asking(plant));
    const planted = await talk.answer(ApprovalAnswer.DENY, asked.seq);
    expect(planted.shown).toContain(`All it changed in ${around}, 2 created:`);
    expect(planted.shown).toContain('shared/.vscode/tasks.json');
    const last = await talk.idleAfter('b');
    expect(ofType(last, 'tool_output').at(-1)?.text).not.toContain('canary');
    expect(existsSync(at('shared/.vscode'))).toBe(false);
    expect(readFileSync(key, 'utf8')).toBe('canary');
    // Processes that it leaves would go on to write there.
    await talk.send('c', asking(leave));
    const ended = await talk.idleAfter('c');
    expect(ofType(ended, 'tool_output').at(-1)?.text).toContain('was ended with it');
    expect(readFileSync(at('shared/left.txt'), 'utf8')).toBe('x\n');
    const undone = await stage().cli(['chronicle', 'rollback', completed?.action ?? '']);
    expect(undone.code).toBe(0);
    expect(readFileSync(at('shared/s.txt'), 'utf8')).toBe('before\n');
    expect([existsSync(at('shared/made')), existsSync(at('app/in.txt'))]).toEqual([false, false]);
  });
});
