import { createHash } from 'node:crypto';
import { existsSync, realpathSync, rmSync } from 'node:fs';
import { expect, it } from 'vitest';
import { ofType } from './support/event-lines.ts';
import { unjudgedCommands } from './support/unjudged-commands.ts';
import { useStage } from './support/use-stage.ts';
import { bash } from './support/waiting-command.ts';

const stage = useStage();

/**
 * The places where a client looks for an engine that can't write to its home, as any program that
 * knows the home can name them.
 */
function placesOf(home: string): readonly string[] {
  const digest = createHash('sha256').update(realpathSync(home)).digest('hex').slice(0, 16);
  const user = process.getuid?.() ?? 0;
  return [`/dev/shm/.bulkhead-scratch/reading-${digest}`, `/dev/shm/bulkhead-${user}-${digest}`];
}

it('lets no command of an agent in a shared folder decide where clients connect [P7] [A2]', async () => {
  const at = stage();
  const places = placesOf(at.layout.root);
  const plant = places.map((place) => `mkdir -p -m 700 ${place}; echo x > ${place}/engine.sock`).join('; ');
  const rounds = [{ toolCalls: [bash(plant)] }, { toolCalls: [{ name: 'ls', args: {} }] }, { text: 'done' }];
  await at.model(rounds, { config: unjudgedCommands(at) });
  try {
    const { events } = await at.cli(['run', '--json', '--cwd', '/dev/shm', 'go']);
    expect(ofType(events, 'tool_output')).toHaveLength(2);
    expect(existsSync(`${places[0]}/engine.sock`)).toBe(false);
    const { stdout } = await at.cli(['status', '--json']);
    expect(JSON.parse(stdout)).toMatchObject({ running: true });
  } finally {
    for (const place of places) rmSync(place, { recursive: true, force: true });
  }
});
