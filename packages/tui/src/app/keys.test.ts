import { describe, expect, it } from 'vitest';
import { CANCELLED, SAMPLE } from '../testing/sample-session.ts';
import { UiStage } from '../testing/ui-stage.ts';

const ENTER = '\r';
const CTRL_C = '\x03';
const CTRL_D = '\x04';

describe('keys and the line that is typed in', () => {
  it('cancels the run with Ctrl-C, and exits with a second one only after the engine reported the end [I2]', async () => {
    await using stage = await UiStage.open();
    stage.terminal.type(`go${ENTER}`);
    await stage.settled();
    stage.link.tell({ type: 'agent_start', message: 'm1' });
    await stage.shows('Esc interrupts');
    let left = false;
    void stage.ended.then(() => {
      left = true;
    });
    stage.terminal.type(CTRL_C);
    stage.terminal.type(CTRL_C);
    await stage.shows('cancelling');
    await stage.shows('exiting once the run is cancelled');
    await stage.settled();
    expect(left).toBe(false);
    expect(stage.link.cancelled).toEqual(['']);
    stage.link.tell(CANCELLED);
    expect(await stage.ended).toMatchObject({ run: 'none' });
    await stage.shows('· cancelled');
  });

  it('closes a list with Ctrl-C and keeps what was typed, then clears that, then says how to leave [I2]', async () => {
    await using stage = await UiStage.open();
    stage.terminal.type('/th');
    await stage.shows('for a dark or a light screen');
    stage.terminal.type(CTRL_C);
    await stage.gone('for a dark or a light screen');
    expect(stage.ui.screen.prompt.draft).toBe('/th');
    stage.terminal.type(CTRL_C);
    expect(stage.ui.screen.prompt.draft).toBe('');
    stage.terminal.type(CTRL_C);
    await stage.shows('press Ctrl-C again to exit');
  });

  it('leaves a run that goes on with Ctrl-D, and says so [I2]', async () => {
    await using stage = await UiStage.open();
    stage.terminal.type(`go${ENTER}`);
    await stage.settled();
    stage.terminal.type(CTRL_D);
    expect(await stage.ended).toMatchObject({ run: 'running' });
    expect(stage.link.cancelled).toEqual([]);
  });

  it('draws all of it again after a suspension, with what was typed [I2]', async () => {
    await using stage = await UiStage.open({ before: SAMPLE, rows: 60 });
    stage.terminal.type('half a thou');
    await stage.quiet();
    stage.terminal.type('\x1a');
    await stage.quiet();
    expect(stage.terminal.everything.split('Ports are 1 to 65535')).toHaveLength(3);
    expect(stage.ui.screen.prompt.draft).toBe('half a thou');
    stage.terminal.type('ght');
    await stage.shows('half a thought');
  });

  it('says in an empty line what can be typed, as long as there is room [I2]', async () => {
    await using stage = await UiStage.open();
    await stage.shows('Type a task · / for commands · @ for files');
    stage.terminal.type('x');
    await stage.gone('Type a task');
    await using narrow = await UiStage.open({ columns: 20, rows: 10, env: { LANG: 'C', NO_COLOR: '1' } });
    expect(await narrow.shows('Type a task')).not.toContain('commands');
  });

  it('shows first steps to a new user only [I2]', async () => {
    await using first = await UiStage.open({ firstVisit: true, rows: 40 });
    await first.shows('Ctrl-C stops it, /undo undoes its changes');
    await using again = await UiStage.open({ rows: 40 });
    expect(again.terminal.everything).not.toContain('/undo undoes');
  });

  it('keeps the theme that was chosen, and begins with it unless there is to be no colour [I2]', async () => {
    await using stage = await UiStage.open({ theme: 'light' });
    expect(stage.ui.screen.look.theme).toBe('light');
    stage.terminal.type(`/theme none${ENTER}`);
    await stage.shows('theme: none');
    expect(stage.kept).toEqual(['none']);
    await using plain = await UiStage.open({ theme: 'light', env: { NO_COLOR: '1' } });
    expect(plain.ui.screen.look.theme).toBe('none');
  });
});
