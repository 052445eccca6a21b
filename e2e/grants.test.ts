import { describe, expect, it } from 'vitest';
import { ofType } from './support/event-lines.ts';
import { useSharedStage } from './support/use-stage.ts';
import { bash } from './support/waiting-command.ts';

const stage = useSharedStage();

/** Runs one command with no one to ask. */
async function run(command: string, ...args: readonly string[]) {
  await stage().model([{ toolCalls: [bash(command)] }, { text: 'done' }]);
  const { code, events } = await stage().cli(['run', '--json', ...args, 'go']);
  const [output] = ofType(events, 'tool_output');
  const [completed] = ofType(events, 'action_completed');
  return { code, events, text: output?.text ?? '', completed };
}

describe('a command without hosts', () => {
  it('is refused at once, and its result names what it needs [B4]', async () => {
    const { text, completed } = await run('curl -sS -m 50 https://registry.test/a 2>&1');
    // 56: the proxy's refusal; 28 would be the time limit, 6 an unknown name.
    expect(text).toContain('[exit code 56]');
    expect(text).toContain('[needs network: registry.test:443.');
    expect(completed?.needs).toEqual([{ kind: 'hosts', target: 'registry.test:443' }]);
  });

  it('that goes on without the host has no need, and its result says so', async () => {
    const { text, completed } = await run('curl -sS -m 50 https://updates.test/ 2>&1 || echo went on');
    expect(text).toContain('[it asked for updates.test:443, which it may not reach, and went on without]');
    expect(completed).not.toHaveProperty('needs');
  });

  it("needs no host that the user's settings close, and its result says why it was refused", async () => {
    const { text, completed } = await run('curl -fsS -m 50 http://plain.test/ 2>&1');
    expect(text).toContain('[refused: plain.test would be spoken to without encryption');
    expect(completed).not.toHaveProperty('needs');
  });
});
