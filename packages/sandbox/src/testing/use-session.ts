import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import type { SessionSpaces } from '../box.ts';
import { type BoxFixture, boxFixture } from './box-fixture.ts';

/** One fixture for the tests of a file; each has an empty working folder and a session of its own. */
export function useSession() {
  let fixture: BoxFixture | undefined;
  let session: (SessionSpaces & Disposable) | undefined;
  const whole = () => {
    if (fixture === undefined) throw new Error('there is a fixture only within a test');
    return fixture;
  };
  beforeAll(async () => {
    fixture = await boxFixture();
  });
  afterAll(async () => {
    await fixture?.[Symbol.asyncDispose]();
  });
  beforeEach(async () => {
    const { work, sandbox } = whole();
    rmSync(work, { recursive: true, force: true });
    mkdirSync(work);
    session = await sandbox.keepSession();
  });
  afterEach(() => session?.[Symbol.dispose]());
  const path = (name: string) => `${whole().work}/${name}`;
  return {
    get fixture(): BoxFixture {
      return whole();
    },
    get session(): SessionSpaces {
      if (session === undefined) throw new Error('there is a session only within a test');
      return session;
    },
    /** Absolute, of a name in the working folder. */
    path,
    read: (name: string) => readFileSync(path(name), 'utf8'),
    write: (name: string, text: string) => writeFileSync(path(name), text),
  };
}
