import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { ApprovalMode } from '@bulkhead/protocol/client';
import { expect, it } from 'vitest';
import { auditLines } from './support/audit-steps.ts';
import { Talk } from './support/talk.ts';
import { useStage } from './support/use-stage.ts';

const stage = useStage();

/** A session may ask 30 times a minute. */
const SESSIONS = 5;
const QUESTIONS = 21;
const CHILD = fileURLToPath(new URL('./support/approval-racer.child.ts', import.meta.url));

interface Accepted {
  readonly approval: string;
  readonly action: string;
  readonly answer: 'yes' | 'no';
}

interface Ended {
  readonly accepted: readonly Accepted[];
  /** Replies to answers that came too late: how each action was decided. */
  readonly told: readonly { readonly action: string; readonly decision: string; readonly by: string }[];
  readonly sent: number;
}

/** A client of its own process. */
function racer(home: string, says: 'yes' | 'no') {
  const child = spawn(
    process.execPath,
    ['--experimental-transform-types', '--no-warnings', CHILD, home, says],
    { stdio: ['pipe', 'pipe', 'inherit'] },
  );
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const said = async (): Promise<string> => String((await lines.next()).value);
  return {
    ready: said,
    async ended(): Promise<Ended> {
      child.stdin.end();
      return JSON.parse(await said());
    },
    [Symbol.dispose]: () => void child.kill('SIGKILL'),
  };
}

it('a question that four processes answer at once over the socket is answered once, and carried out at most once [FT40] [A6]', {
  timeout: 720_000,
}, async () => {
  const rounds = Array.from({ length: QUESTIONS }, (_, at) => at);
  await stage().model(({ bodyText }) => {
    const done = bodyText.split('"role":"tool"').length - 1;
    const [name = ''] = /task-\d/.exec(bodyText) ?? [];
    if (done >= QUESTIONS) return { text: 'done' };
    return {
      toolCalls: [{ name: 'write', args: { path: `.vscode/${name}-${done}.json`, content: '{}' } }],
    };
  });
  const talks = [await Talk.begin(stage())];
  for (let at = 1; at < SESSIONS; at += 1) talks.push(await Talk.begin(stage()));
  using one = racer(stage().layout.root, 'yes');
  using two = racer(stage().layout.root, 'yes');
  using three = racer(stage().layout.root, 'yes');
  using four = racer(stage().layout.root, 'no');
  const racers = [one, two, three, four];
  expect(await Promise.all(racers.map(({ ready }) => ready()))).toEqual(['ready', 'ready', 'ready', 'ready']);
  await Promise.all(
    talks.map((talk, at) => talk.send(`task-${at}`, { options: { approve: ApprovalMode.ASK } })),
  );
  await Promise.all(talks.map((talk, at) => talk.settledWithin(`task-${at}`, 120_000)));
  const ends = await Promise.all(racers.map(({ ended }) => ended()));
  for (const talk of talks) await talk[Symbol.asyncDispose]();

  const accepted = Map.groupBy(
    ends.flatMap((end) => end.accepted),
    ({ action }) => action,
  );
  expect(accepted.size).toBe(SESSIONS * rounds.length);
  const steps = Map.groupBy(auditLines(stage()), ({ action }) => action);
  let denied = 0;
  for (const [action, answers] of accepted) {
    const yes = answers.filter(({ answer }) => answer === 'yes');
    const no = answers.filter(({ answer }) => answer === 'no');
    const taken = (steps.get(action) ?? []).map(({ step }) => step);
    const count = (step: string) => taken.filter((each) => each === step).length;
    // One client learns that its answer took effect; a denial arrives before the approval takes
    // effect, or not at all.
    expect([action, yes.length + no.length]).toEqual([action, 1]);
    const isDenied = no.length > 0;
    // All other clients receive that decision.
    const others = ends.flatMap(({ told }) => told).filter((one) => one.action === action);
    for (const one of others)
      expect(one).toEqual({ action, decision: isDenied ? 'deny' : 'allow', by: 'person' });
    denied += isDenied ? 1 : 0;
    expect([action, count('APPROVED'), count('DENIED'), count('STARTED'), count('EXECUTED')]).toEqual(
      isDenied ? [action, 0, 1, 0, 0] : [action, 1, 0, 1, 1],
    );
  }
  const nonces = [...steps.values()]
    .flat()
    .flatMap(({ step, details }) => (step === 'STARTED' ? details.nonce : []));
  expect(new Set(nonces).size).toBe(nonces.length);
  // A client whose answers are always the first does not race: at least two must have won.
  expect(ends.filter((end) => end.accepted.length > 0).length).toBeGreaterThan(1);
  expect(ends.reduce((all, { sent }) => all + sent, 0)).toBeGreaterThan(accepted.size);
  expect(denied).toBeGreaterThan(0);
  expect(ends.flatMap(({ told }) => told).length).toBeGreaterThan(0);
});
