import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { shareOf, sweepsAreWhole } from '@bulkhead/testkit/sweep';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callProgram } from './stored-homes/answers.ts';
import { clientView } from './stored-homes/client-view.ts';
import { differences } from './stored-homes/differences.ts';
import { type FixtureDoor, FixturePlace } from './stored-homes/fixture-place.ts';
import { LifeModel } from './stored-homes/life-model.ts';
import { storedHomes } from './stored-homes/stored-home.ts';
import { until } from './support/until.ts';

const TIMEOUT_MS = 600_000;

/** An orderly stop of these cancelled what was under way; since then it is suspended. */
const CANCELLED_AT_STOP = ['2026-11-22-c2742433'];

/** Sessions in which a message is open: they go on where the home is opened. */
const OPEN = ['suspended', 'question'];
const SEVERAL_OPEN = `(${OPEN.join('|')})`;

/**
 * Allowed differences from what clients saw then, by question and path. An entry for each reason;
 * all else is exact. Files that are unpacked are other objects than those that were packed.
 */
const ALLOWED: readonly (readonly [question: RegExp, path: RegExp])[] = [
  // Fields and words that came later: whether a snapshot is forgotten next, and the pattern of a search.
  [/^(chronicle list|GET \/snapshots)$/, /\.goesNext: undefined -> (false|true)$/],
  [/^sessions show tools$/, /^\[\d+\]: "▸ (grep|find) /],
  // The open messages are taken up: their sessions have more records, model calls and audit entries, at the
  // end.
  [new RegExp(`^GET /sessions/${SEVERAL_OPEN}/events$`), /^ grew$/],
  [new RegExp(`^GET /audit of ${SEVERAL_OPEN}$`), /^\.entries grew$/],
  [
    new RegExp(`^GET /sessions/${SEVERAL_OPEN}/export$`),
    /^(\[0\]\.updatedAt:|\[\d\](\.sha256:|: \{"sha256"|\.\w+: .*undefined)| grew$)/,
  ],
  [
    new RegExp(`^GET /usage of ${SEVERAL_OPEN}$`),
    /^\.rows(\[0\]\.(calls|failed|unpriced|inputTokens|outputTokens): | grew$)/,
  ],
  [new RegExp(`^GET /sessions/${SEVERAL_OPEN}$`), /^\.session\.(updatedAt|messages):/],
  [/^sessions list$/, new RegExp(`^\\.<${SEVERAL_OPEN}>\\.(updatedAt|messages):`)],
  [/^GET \/sessions$/, new RegExp(`^\\.sessions\\.<${SEVERAL_OPEN}>\\.(updatedAt|messages):`)],
  [/^sessions show question$/, /^(\[3\]: "" ->| grew$)/],
  // In a folder that is another one than the session's, nothing is foretold.
  [/^approvals list$/, /^\[0\](\.shown:|: \{.* -> undefined)/],
  [/^GET \/approvals$/, /^\.approvals(\[0\])?(\.shown:|: [[{].* -> undefined)/],
  // A question that no one answered is void and asked anew.
  [/^approvals list$/, /^\[0\]\.(approvalId|actionId|expires|remainingMs):/],
  [/^GET \/approvals$/, /^\.approvals\[0\]\.(approvalId|actionId|expires|remainingMs):/],
  // It has no origin: the fields that name one exist, and are empty.
  [/^GET \/approvals$/, /^\.approvals\[0\]\.(channel|sender|senderName): undefined -> ""$/],
  // Unpacked files are new.
  [/^memory show$/, /^\.files\[\d\]\.modifiedAt:/],
  [
    new RegExp(`^GET /sessions/${SEVERAL_OPEN}/tree$`),
    /^\.(entries grew|leaf:|entries\[1\]\.current: false)/,
  ],
  // Reasons are in plainer words now.
  [
    /^(approvals list|GET \/approvals)$/,
    /^(\.approvals)?\[0\]\.reason: .*executed later.* -> .*run automatically/,
  ],
  // An answer may be as long as the model allows, unless a limit is set.
  [
    /^(config get|GET \/settings)$/,
    /^(\.settings)?\.(models\.chat|limits)\.maxOutputTokens\.(value|valueJson|source|otherwise|description): /,
  ],
  // There are more settings and facts now.
  [/^(config get|GET \/settings)$/, /^(\.settings)?\.[\w.]+: undefined -> \{/],
  [/^(sessions list|GET \/sessions.*)$/, /\.loss: undefined -> ""$/],
  // The version of a policy is the digest of all that decides, shipped rules of data flow included.
  [/^policy show$/, /^\.version:/],
  // A later doctor looks at more.
  [/^doctor$/, /^\.[^:]+: undefined -> "ok"$/],
  // Data that had files of its own lies in the database of the sessions, whose row covers it.
  [/^doctor$/, /^\.(callers|daily totals|approvals|memory): "ok" -> undefined$/],
  // A trusted folder is known by its inode: a folder that was unpacked is another one.
  [/^trust --list$/, /^\[0\]\.(state: "trusted" -> "changed"|changes grew)$/],
];

/** Every one in `npm run proof`; else the latest, in which runs go on that an earlier engine began. */
const HOMES = sweepsAreWhole ? storedHomes() : storedHomes().slice(-1);

describe.each(HOMES)('the home that $name wrote', ({ name, archive, seen }) => {
  const model = new LifeModel(seen.page);
  const isCancelled = CANCELLED_AT_STOP.includes(name);
  let place: FixturePlace;
  let door: FixtureDoor;

  beforeAll(async () => {
    model.hold('suspended');
    place = await FixturePlace.take(name, model.answer);
    place.unpack(archive);
    await place.start();
    door = await place.door();
    if (!isCancelled) await until('the open messages are taken up', isTakenUp);
  }, TIMEOUT_MS + 240_000);

  afterAll(async () => await place[Symbol.asyncDispose](), TIMEOUT_MS);

  /** With names in place of ids of sessions. */
  function named(text: string): string {
    return Object.entries(seen.sessions).reduce((all, [word, id]) => all.replaceAll(id, `<${word}>`), text);
  }

  async function isTakenUp(): Promise<boolean> {
    const { text } = await door.send('GET', '/api/v1/approvals');
    return model.isWaiting('suspended') && text.includes('approvalId');
  }

  async function settledOf(session: string): Promise<readonly string[]> {
    const { text } = await door.send('GET', `/api/v1/sessions/${seen.sessions[session]}/events`);
    const events = text.split('\n').filter((line) => line.includes('"type":"settled"'));
    return events.map((line) => String(JSON.parse(line).answer));
  }

  it(
    'shows clients what they saw then [D4] [FT100]',
    async () => {
      const now = await clientView(place, door, seen.sessions);
      expect(Object.keys(now)).toEqual(Object.keys(seen.view));
      const found = Object.entries(seen.view).flatMap(([question, before]) =>
        differences(before, now[question]).map((difference) => [question, named(difference)] as const),
      );
      const isAllowed = ([question, difference]: readonly [string, string]) =>
        ALLOWED.some(([questions, paths]) => questions.test(question) && paths.test(difference));
      expect(found.filter((one) => !isAllowed(one))).toEqual([]);
      expect(Object.keys(now).length).toBeGreaterThan(150);
    },
    TIMEOUT_MS,
  );

  it(
    'answers a program from what it stored, and refuses a revoked token',
    async () => {
      expect(differences(seen.program, await callProgram(door, seen.tokens))).toEqual([]);
    },
    TIMEOUT_MS,
  );

  it(
    'has an audit log that verifies, over a change of its key',
    async () => {
      await place.ok(['audit', 'verify', '--chain']);
      const { stdout } = await place.ok(['audit', 'list', '--limit', '1000', '--json']);
      expect(stdout).toContain('bulkhead-audit/');
    },
    TIMEOUT_MS,
  );

  it(
    'undoes a change that it kept [U2]',
    async () => {
      const path = join(place.folder, 'kept.txt');
      expect(readFileSync(path, 'utf8')).toBe('after\n');
      const { events } = await place.cli(['sessions', 'show', seen.sessions['undone'] ?? '', '--json']);
      const kept = events.findLast(({ type }) => type === 'action_completed');
      const action = kept?.type === 'action_completed' ? kept.action : '';
      const early = await place.cli(['chronicle', 'rollback', action]);
      expect(early.stderr).toContain('is another folder now than the one that was changed');
      await place.ok(['stop']);
      place.adoptFolder();
      await place.start();
      door = await place.door();
      expect(await place.json(['chronicle', 'rollback', action])).toMatchObject({
        done: true,
        conflicts: [],
      });
      expect(readFileSync(path, 'utf8')).toBe('before\n');
    },
    TIMEOUT_MS,
  );

  it.skipIf(isCancelled)(
    'continues the suspended run and the message behind it, and asks the open question anew [T8]',
    async () => {
      model.release('suspended');
      await place.ok(['restart']);
      door = await place.door();
      const both = async () => (await settledOf('suspended')).length === 2;
      await until('both messages are answered', both);
      expect(await settledOf('suspended')).toEqual([
        'It went on after the stop.',
        'Hello, Ada. The harbour is calm.',
      ]);
      const asked = await until('a question', async () => {
        const list = await place.json(['approvals', 'list']);
        return Array.isArray(list) && list.length === 1 && String(list[0].approvalId);
      });
      await place.ok(['approvals', 'answer', asked, 'y']);
      await until('its answer', async () => (await settledOf('question')).length === 1);
      expect(await settledOf('question')).toEqual(['The question was answered.']);
    },
    TIMEOUT_MS,
  );

  it(
    'takes another message in every session of the home',
    async () => {
      for (const session of shareOf(['plain', 'forked', 'compacted', 'imported', 'killed'], 3)) {
        const id = seen.sessions[session] ?? '';
        const { stdout } = await place.ok(['run', '--session', id, '#hello once more']);
        expect(stdout).toBe('Hello, Ada. The harbour is calm.\n');
      }
    },
    TIMEOUT_MS,
  );

  it(
    'is found sound by doctor, with and without an engine [D4]',
    async () => {
      const bad = async () => {
        const { stdout } = await place.cli(['doctor', '--json']);
        const { checks } = JSON.parse(stdout);
        return checks.filter(({ state }: { readonly state: string }) => state === 'bad');
      };
      expect(await bad()).toEqual([]);
      await place.ok(['stop']);
      expect(await bad()).toEqual([]);
    },
    TIMEOUT_MS,
  );
});
