import { linkSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type BoxFixture, boxFixture } from '../testing/box-fixture.ts';
import { type OverlayEnd, runOnOverlay, VIEWS } from '../testing/overlay-run.ts';

let fixture: BoxFixture;
let work: string;
let runs = 0;
beforeAll(async () => {
  fixture = await boxFixture();
});
afterAll(async () => {
  await fixture[Symbol.asyncDispose]();
});
beforeEach(() => {
  runs += 1;
  work = `${fixture.folder}/w${runs}`;
  mkdirSync(`${work}/apps/web`, { recursive: true });
  for (const name of ['.env', '.npmrc', 'apps/web/.env']) writeFileSync(`${work}/${name}`, 'TOKEN=real\n');
});

async function run(command: string, options: readonly string[]): Promise<OverlayEnd> {
  runs += 1;
  const scratch = `${fixture.folder}/s${runs}`;
  return runOnOverlay({
    launcherPath: fixture.launcherPath,
    work,
    scratch,
    command,
    verdict: 'drop',
    options,
  });
}

const hide = (...names: readonly string[]) => names.flatMap((name) => ['--hide', `${work}/${name}`]);
const opened = ({ records }: OverlayEnd) =>
  records.filter((record) => record.startsWith('opened ')).map((record) => record.slice('opened '.length));

describe.each(VIEWS)('hidden files on %s', (_name, view) => {
  const all = () => [...view, ...hide('.env', 'missing/.env', '.npmrc', 'apps/web/.env')];

  it('are reported if they were opened, each once and before the end of the command', async () => {
    const end = await run('cat .env apps/web/.env; . ./.env; cat < .env', all());
    expect(opened(end).toSorted()).toEqual(['.env', 'apps/web/.env']);
    expect(end.stdout).toBe('');
    const last = end.records.findLastIndex((record) => record.startsWith('opened '));
    expect(last).toBeLessThan(end.records.findIndex((record) => record.startsWith('ended ')));
  });

  it('are not reported if they were only listed or looked at', async () => {
    const end = await run('ls -la . apps/web; stat .env; find . -name .env; [ -e .npmrc ]', all());
    expect(end.code).toBe(0);
    expect(opened(end)).toEqual([]);
  });

  it('are reported by the place that a moved folder had before', async () => {
    const end = await run('mv apps there && cat there/web/.env', all());
    expect(opened(end)).toEqual(['apps/web/.env']);
  });
});

describe.each(VIEWS)('a filled file on %s', (_name, view) => {
  const fill = (...names: readonly string[]) => {
    const from = `${fixture.folder}/from${runs}`;
    mkdirSync(from);
    const each = names.flatMap((name, at) => {
      writeFileSync(`${from}/${at + 1}`, `SHOWN=${at + 1}\n`);
      return ['--fill', `${at + 1}:${work}/${name}`];
    });
    return [...view, '--ro', from, '--fill-from', from, ...each];
  };

  it('shows the content of the caller, and only that, and the rest stays hidden', async () => {
    const end = await run('cat .env apps/web/.env; wc -c < .npmrc', [
      ...fill('.env', 'apps/web/.env'),
      ...hide('.npmrc'),
    ]);
    expect(end.stdout).toBe('SHOWN=1\nSHOWN=2\n0\n');
    expect(opened(end)).toEqual(['.npmrc']);
  });

  it('can be neither changed nor replaced, and is no change', async () => {
    const line =
      'echo x >> .env; rm -f .env; mv .env other; ln -sf /etc/passwd .env; echo y > other2; cat .env';
    const end = await run(line, fill('.env'));
    expect(end.stdout).toBe('SHOWN=1\n');
    expect(
      end.records.filter((record) => record.startsWith('change ')).map((each) => each.split(' ').at(-1)),
    ).toEqual(['other2']);
    expect(readFileSync(`${work}/.env`, 'utf8')).toBe('TOKEN=real\n');
  });

  it('is not made where a link, a folder or nothing stands by now', async () => {
    const options = fill('.env');
    rmSync(`${work}/.env`);
    expect((await run('cat .env', options)).code).toBe(125);
    symlinkSync(fixture.secret, `${work}/.env`);
    expect((await run('cat .env', options)).code).toBe(125);
    rmSync(`${work}/.env`);
    mkdirSync(`${work}/.env`);
    expect((await run('cat .env', options)).code).toBe(125);
    rmSync(`${work}/.env`, { recursive: true });
    linkSync(fixture.secret, `${work}/.env`);
    expect((await run('cat .env', options)).stdout).toBe('SHOWN=1\n');
  });
});
