import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { homeLayout } from '@bulkhead/protocol';
import { TrustState } from '@bulkhead/protocol/client';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { TerminalState } from '../chat/ui/terminal-state.ts';
import { openEngine } from '../open-engine.ts';
import { CommandStage } from '../testing/command-stage.ts';
import { folderNotice } from './folder-notice.ts';

let root: string;

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'bulkhead-offer-')));
  mkdirSync(join(root, 'work'));
  mkdirSync(join(root, 'home/state'), { recursive: true });
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

/** The notice of a chat that opens in the folder. @param state of a folder that was trusted once */
async function told(state?: TrustState): Promise<string | undefined> {
  const changes = [{ path: 'AGENTS.md', what: 'changed' }];
  const known = state === undefined ? [] : [{ folder: join(root, 'work'), state, changes }];
  await using stage = await CommandStage.open({ listTrusted: () => ({ folders: known }) });
  const { signal } = new AbortController();
  const { link } = await openEngine(stage.layout, stage.environment, { signal });
  using _link = link;
  const offered = new TerminalState(homeLayout(join(root, 'home')));
  return await folderNotice(link, join(root, 'work'), { offered, how: '/trust', home: join(root, 'home') });
}

it('offers trust once, by the names of the files [FT97]', async () => {
  expect(await told()).toBeUndefined();
  writeFileSync(join(root, 'work/CLAUDE.md'), 'x');
  mkdirSync(join(root, 'work/.bulkhead'));
  expect(await told()).toBe(
    'this folder has instructions (CLAUDE.md, .bulkhead), which are not used until you trust them; /trust shows them and asks',
  );
  expect(await told()).toBeUndefined();
});

it('offers no linked CLAUDE.md, which trust leaves out [FT97]', async () => {
  symlinkSync('notes.md', join(root, 'work/CLAUDE.md'));
  expect(await told()).toBeUndefined();
  writeFileSync(join(root, 'work/AGENTS.md'), 'x');
  expect(await told()).toContain('(AGENTS.md)');
});

it('says each time that a change ended the trust, and nothing of a trusted folder', async () => {
  writeFileSync(join(root, 'work/AGENTS.md'), 'x');
  for (let time = 0; time < 2; time += 1)
    expect(await told(TrustState.CHANGED)).toContain('not used since they changed (AGENTS.md changed)');
  expect(await told(TrustState.TRUSTED)).toBeUndefined();
});

it('shows, asks and trusts exactly what was shown with /trust', async () => {
  const granted: unknown[] = [];
  const files = [{ path: 'AGENTS.md', size: 7n, sha256: 'b'.repeat(64) }];
  await using stage = await CommandStage.open({
    inspectFolder: ({ folder }) => ({ folder, state: TrustState.UNTRUSTED, files, digest: 'd' }),
    trustFolder: ({ folder, digest }) => {
      granted.push([folder, digest]);
      return {};
    },
  });
  stage.replies.push('n', 'y');
  expect(await stage.enter('/trust')).toContain('it is not trusted');
  expect(granted).toEqual([]);
  expect(await stage.enter('/trust')).toMatch(/7 bytes {2}AGENTS\.md\n[\s\S]*it is trusted/);
  expect(granted).toEqual([['/work', 'd']]);
});
