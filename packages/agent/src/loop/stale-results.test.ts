import type { Message } from '@bulkhead/protocol/chat';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assistantMessage, toolMessage, userMessage } from '../testing/messages.ts';
import { withoutStaleResults } from './stale-results.ts';

const GO = `package main\n${'func main() { run() }\n'.repeat(119)}`.slice(0, 4_499).padEnd(4_500, '\n');

function turn(at: number, text: string, name = 'read', json = '{"path":"main.go"}'): Message[] {
  const id = `call-${at}`;
  return [
    userMessage(`question ${at}`),
    assistantMessage({ id, name, json }),
    toolMessage(id, name, text),
    assistantMessage(`answer ${at}`),
  ];
}

function results(messages: readonly Message[]): string[] {
  return messages.flatMap(({ role }) => (role.case === 'tool' ? [role.value.text] : []));
}

describe('withoutStaleResults', () => {
  it('shows a result as one line once four messages of the person came after it, and says how to open it [K5]', () => {
    const session = [...turn(0, GO), ...[1, 2, 3].flatMap((at) => turn(at, 'short'))];
    expect(results(withoutStaleResults(session, 0))[0]).toBe(GO);
    const later = withoutStaleResults([...session, userMessage('and now?')], 0);
    const lines = GO.split('\n').length - 1;
    expect(results(later)[0]).toBe(
      `[Summary: Returned 4500 bytes (${lines} lines) of Go source code] (read; result_open call-0)`,
    );
    expect(session[2]).toEqual(toolMessage('call-0', 'read', GO));
  });

  it('keeps the text of a loaded skill, but not what another tool calls one [K5] [SK1]', () => {
    const text = `# Skill deploy\n${'Do it in this order.\n'.repeat(200)}`;
    const json = '{"names":["deploy"]}';
    const later = Array.from({ length: 30 }, (_, at) => turn(at + 1, GO)).flat();
    const loaded = (ownWords: boolean) => {
      const [asked, call, result] = turn(0, text, 'load_skills', json);
      if (result?.role.case === 'tool') result.role.value.ownWords = ownWords;
      const session = [asked, call, result].flatMap((message) => message ?? []);
      return results(withoutStaleResults([...session, ...later], 0));
    };
    expect(loaded(true)[0]).toBe(text);
    expect(loaded(true)[1]).toContain('[Summary:');
    expect(loaded(false)[0]).toContain('[Summary:');
  });

  it('infers the kind of what has no name from its look [K5]', () => {
    const printed = (text: string) => {
      const session = [...turn(0, text.padEnd(600, '\n'), 'bash', '{"command":"x"}')];
      const later = [1, 2, 3, 4].map((at) => userMessage(`more ${at}`));
      return /of (.*?)\]/.exec(results(withoutStaleResults([...session, ...later], 0))[0] ?? '')?.[1];
    };
    expect(printed('package main\nfunc main() {}')).toBe('Go source code');
    expect(printed('import x from "y"\nexport const a = 1')).toBe('JavaScript source code');
    expect(printed('def f(x):\n  return x')).toBe('Python source code');
    expect(printed('2026-01-01T10:00 up')).toBe('log lines');
    expect(printed('plain words')).toBe('text');
  });

  it('changes the start of a request only in batches that pay [K5]', () => {
    const big = 'x'.repeat(20_000);
    // A small old result, then much newer text after it: rewriting all of that for a small gain
    // does not pay.
    const session = [...turn(0, 'y'.repeat(1_000)), ...[1, 2, 3, 4].flatMap((at) => turn(at, big))];
    expect(results(withoutStaleResults(session, 0))[0]).toHaveLength(1_000);
    const changes = Array.from({ length: 40 }, (_, count) => {
      const turns = Array.from({ length: count + 1 }, (_each, at) => turn(at, 'z'.repeat(2_000))).flat();
      return results(withoutStaleResults(turns, 0)).filter((text) => text.startsWith('[Summary')).length;
    });
    const moves = changes.filter((stale, at) => at > 0 && stale !== changes[at - 1]).length;
    expect(moves).toBeLessThan(20);
    expect(changes.at(-1)).toBeGreaterThan(30);
  });

  it('never takes back what it shortened, and only a message of the person makes it shorten more [K5]', () => {
    const sizes = fc.array(fc.integer({ min: 0, max: 30_000 }), { minLength: 1, maxLength: 30 });
    fc.assert(
      fc.property(sizes, (all) => {
        const session = all.flatMap((size, at) => turn(at, 'w'.repeat(size)));
        let before: string[] = [];
        for (let end = 1; end <= session.length; end += 1) {
          const now = results(withoutStaleResults(session.slice(0, end), 0));
          const changed = before.filter((text, at) => text !== now[at]);
          expect(changed.length === 0 || session[end - 1]?.role.case === 'user').toBe(true);
          expect(changed.filter((text) => text.startsWith('[Summary'))).toEqual([]);
          before = now;
        }
      }),
      { numRuns: 30 },
    );
  });

  it('leaves one giant result no more than its share of the window [K2]', () => {
    const session = turn(0, 'é'.repeat(500_000));
    const [shown = ''] = results(withoutStaleResults(session, 10_000));
    expect(Buffer.byteLength(shown)).toBeLessThanOrEqual(12_000);
    expect(shown).toContain('[Cut: 1000000 bytes are more than fit.');
    expect(shown).not.toContain('\uFFFD');
    expect(results(withoutStaleResults(session, 0))[0]).toHaveLength(500_000);
  });
});
