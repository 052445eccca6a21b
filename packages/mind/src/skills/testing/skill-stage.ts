import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { AuditInput } from '@bulkhead/audit';
import { homeLayout, systemClock } from '@bulkhead/protocol';
import { TrustStore } from '../../trust/trust-store.ts';
import { openSkills } from '../open-skills.ts';
import { skillPlaces } from '../skill-places.ts';

/** Text of a plain skill. */
export const skillFile = (name: string, body = `How to ${name}.`, more = ''): string =>
  `---\nname: ${name}\ndescription: Does ${name}.\n${more}---\n${body}\n`;

/** Nothing was ever written to memory. */
export const UNLABELLED = { ofFile: () => undefined, ofText: () => undefined };

/** A home and a working folder on the disk, and the skills opened on them. */
export function skillStage() {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'bulkhead-skills-')));
  const layout = homeLayout(join(root, 'home'));
  const folder = join(root, 'work');
  mkdirSync(layout.state, { recursive: true, mode: 0o700 });
  mkdirSync(folder);
  const audited: AuditInput[] = [];
  const told: string[] = [];
  const audit = {
    append: async (entries: readonly AuditInput[]) => {
      audited.push(...entries);
      return [];
    },
  };
  const trust = new TrustStore({ layout, audit, clock: systemClock });
  const open = () =>
    openSkills({
      layout,
      environment: process.env,
      trust,
      audit,
      clock: systemClock,
      tell: (warning) => told.push(warning),
    });
  return {
    root,
    layout,
    folder,
    places: skillPlaces(layout),
    audited,
    told,
    trust,
    open,
    write(path: string, text: string | Buffer): string {
      const file = join(root, path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text);
      return file;
    },
    trustFolder: async () => trust.grant(folder, (await trust.inspect(folder)).digest),
    [Symbol.dispose]: () => rmSync(root, { recursive: true, force: true }),
  };
}
