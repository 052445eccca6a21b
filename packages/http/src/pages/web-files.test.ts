import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { DoorStage } from '../testing/door-stage.ts';

let stage: DoorStage | undefined;
afterEach(async () => {
  await stage?.[Symbol.asyncDispose]();
  stage = undefined;
});

async function open(...args: Parameters<typeof DoorStage.open>): Promise<DoorStage> {
  stage = await DoorStage.open(...args);
  return stage;
}

function withPages(folder: string): void {
  mkdirSync(join(folder, 'assets'));
  writeFileSync(join(folder, 'index.html'), '<p>ui</p>');
  writeFileSync(join(folder, 'assets/app-1.js'), 'run()');
  writeFileSync(join(folder, 'secret'), 'not yet there when opened', { mode: 0o600 });
  symlinkSync('/etc/passwd', join(folder, 'link.txt'));
}

describe('the pages', () => {
  it('are files of one folder, by exactly their names, under a policy that lets in nothing foreign [I5]', async () => {
    const door = await open({}, withPages);
    const page = await door.ask('/sessions/1');
    expect([page.status, page.text]).toEqual([200, '<p>ui</p>']);
    const policy = page.headers['content-security-policy'] ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toMatch(/unsafe|https?:|\*/);
    const script = await door.ask('/assets/app-1.js');
    expect(script.headers['cache-control']).toContain('immutable');
    for (const path of [
      '/assets/app-2.js',
      '/../package.json',
      '/%2e%2e/x.json',
      '/link.txt',
      '/assets%2fapp-1.js',
    ]) {
      const { status, text } = await door.ask(path);
      expect([path, status, text.includes('root:')]).toEqual([path, 404, false]);
    }
    expect((await door.ask('/', { method: 'POST' })).status).toBe(405);
    expect((await door.ask('/', { method: 'HEAD' })).text).toBe('');
  });

  it('say how to build them where they are not', async () => {
    const door = await open();
    const { status, text } = await door.ask('/');
    expect(status).toBe(503);
    expect(text).toContain('npm run build');
  });
});
