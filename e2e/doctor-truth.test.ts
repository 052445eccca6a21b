import { cpSync, existsSync, lstatSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Stage } from './support/stage.ts';

const TIMEOUT_MS = 600_000;

let stage: Stage;
let pristine: string;

beforeAll(async () => {
  stage = new Stage();
  await stage.model([{ text: 'hello' }, { text: 'hello again' }]);
  await stage.cli(['run', 'hello'], { timeoutMs: 60_000 });
  await stage.cli(['stop'], { timeoutMs: 60_000 });
  pristine = `${stage.layout.root}-pristine`;
  cpSync(stage.layout.root, pristine, { recursive: true });
}, TIMEOUT_MS);

afterAll(async () => {
  rmSync(pristine, { recursive: true, force: true });
  await stage[Symbol.asyncDispose]();
}, TIMEOUT_MS);

function restore(): void {
  rmSync(stage.layout.root, { recursive: true, force: true });
  cpSync(pristine, stage.layout.root, { recursive: true });
}

async function doctor(home = stage.layout.root) {
  const env = { BULKHEAD_HOME: home };
  const { stdout, code } = await stage.cli(['doctor', '--json'], { env, timeoutMs: 120_000 });
  const { ok } = JSON.parse(stdout);
  expect(code).toBe(ok ? 0 : 1);
  return { ok, text: stdout };
}

/** Every file below a folder, with its bytes: what must be the same before and after. */
function bytesBelow(folder: string): ReadonlyMap<string, string> {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort();
  const files = paths.filter((path) => lstatSync(join(folder, path)).isFile());
  return new Map(files.map((path) => [path, readFileSync(join(folder, path)).toString('base64')]));
}

it(
  'makes no home where there is none, and says so',
  async () => {
    const home = `${stage.layout.root}-none`;
    expect(await doctor(home)).toMatchObject({
      ok: false,
      text: expect.stringContaining('there is no home'),
    });
    expect(existsSync(home)).toBe(false);
  },
  TIMEOUT_MS,
);

it(
  'changes no byte of a home',
  async () => {
    restore();
    const before = bytesBelow(stage.layout.root);
    expect((await doctor()).ok).toBe(true);
    expect([...bytesBelow(stage.layout.root).keys()]).toEqual([...before.keys()]);
    expect(bytesBelow(stage.layout.root)).toEqual(before);
  },
  TIMEOUT_MS,
);

it(
  'never says that all is well where the engine does not start, and names the file [D4]',
  async () => {
    const { layout } = stage;
    const files = [
      'config.yaml',
      'policies/default.yaml',
      'policies/ifc.yaml',
      'state/bulkhead.db',
      'state/labels.db',
      'state/access.db',
      'state/callers.db',
      'state/approvals.db',
      'state/audit/audit-000001.jsonl',
      'state/audit/audit-000001.checkpoints',
    ];
    const refused: string[] = [];
    for (const file of files) {
      for (const harm of ['empty', 'cut', 'flipped'] as const) {
        restore();
        const path = join(layout.root, file);
        if (!existsSync(path)) continue;
        writeFileSync(path, harmed(readFileSync(path), harm));
        const said = await doctor();
        const { code } = await stage.cli(['start', '--daemon'], { timeoutMs: 120_000 });
        if (code === 0) {
          await stage.cli(['stop'], { timeoutMs: 60_000 });
          continue;
        }
        refused.push(`${file} ${harm}`);
        expect({ file, harm, ok: said.ok }).toEqual({ file, harm, ok: false });
        expect(said.text).toContain(
          file
            .slice(file.lastIndexOf('/') + 1)
            .replace('ifc.yaml', 'ifc')
            .replace(/^(audit-\d+).*/, '$1'),
        );
      }
    }
    // Where every harm is survived nothing was compared.
    expect(refused.length).toBeGreaterThan(8);
  },
  TIMEOUT_MS,
);

function harmed(bytes: Buffer, harm: 'empty' | 'cut' | 'flipped'): Buffer {
  if (harm === 'empty') return Buffer.alloc(0);
  if (harm === 'cut') return bytes.subarray(0, Math.floor(bytes.length / 2));
  const flipped = Buffer.from(bytes);
  for (let at = 0; at < 64 && at < flipped.length; at += 1) flipped[at] = 255 - (flipped[at] ?? 0);
  return flipped;
}
