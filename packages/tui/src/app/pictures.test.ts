import { fileURLToPath } from 'node:url';
import type { EventBody } from '@bulkhead/protocol';
import { expect, it } from 'vitest';
import { ASKING, AT_WORK, SAMPLE } from '../testing/sample-session.ts';
import { svgOf } from '../testing/svg-of.ts';
import { UiStage } from '../testing/ui-stage.ts';

/** `npx vitest run --project unit packages/tui/src/app/pictures.test.ts -u` redraws them. */
const folder = fileURLToPath(new URL('../../../../docs/pictures/', import.meta.url));

interface Picture {
  readonly name: string;
  readonly title: string;
  readonly events: readonly EventBody[];
  readonly rows: number;
  readonly columns?: number;
  /** Keys pressed before the picture is taken. */
  readonly keys?: readonly string[];
}

const PICTURES: readonly Picture[] = [
  { name: 'terminal-work', title: 'A session at work in the terminal', events: AT_WORK, rows: 62 },
  { name: 'terminal-approval', title: 'A question about an action', events: ASKING, rows: 26 },
  {
    name: 'terminal-commands',
    title: 'Completion of commands',
    events: SAMPLE,
    rows: 28,
    keys: ['/', 'm'],
  },
  { name: 'terminal-narrow', title: 'The same on a narrow screen', events: SAMPLE, rows: 30, columns: 36 },
];

it.each(PICTURES)(
  'draws $name as the documents show it [I2]',
  async ({ name, title, events, rows, columns = 88, keys = [] }) => {
    await using stage = await UiStage.open({ columns, rows, folder: '/home/ann/ports' });
    stage.link.tell(...events);
    for (const key of keys) stage.terminal.type(key);
    stage.now += 1_000;
    await stage.quiet();
    stage.ui.screen.draw();
    await stage.quiet();
    await expect(svgOf(stage.terminal.cells, title)).toMatchFileSnapshot(`${folder}${name}.svg`);
    await expect(`${stage.terminal.text}\n`).toMatchFileSnapshot(`${folder}${name}.txt`);
  },
);
