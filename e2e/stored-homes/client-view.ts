import type { FixtureDoor, FixturePlace } from './fixture-place.ts';

/** The home as clients see it, by the question that was asked. */
export type ClientView = Readonly<Record<string, unknown>>;

/** Questions to the command, each answered with JSON. */
const COMMANDS: readonly string[] = [
  'sessions list',
  'sessions search ferry',
  'approvals list',
  'chronicle list',
  'chronicle verify',
  'ifc list',
  'memory show',
  'memory show MEMORY.md',
  'memory review --all',
  'skill list',
  'skill show mail',
  'profile list',
  'profile show',
  'trust --list',
  'token list',
  'policy list',
  'policy show',
  'config get',
  'config secret',
];

/** Questions to the door. */
const ROUTES: readonly string[] = [
  '/sessions',
  '/snapshots',
  '/labels',
  '/settings',
  '/approvals',
  '/access',
];

/** Of every session. */
const SESSION_ROUTES: readonly string[] = ['', '/events', '/tree', '/branch?imported=true', '/rules'];

/** Sessions that are looked at in a terminal, too. */
const SHOWN: readonly string[] = ['tools', 'forked', 'compacted', 'question'];

/** Asks everything, of a home whose engine runs. @param sessions by name */
export async function clientView(
  place: FixturePlace,
  door: FixtureDoor,
  sessions: Readonly<Record<string, string>>,
): Promise<ClientView> {
  const view: Record<string, unknown> = {};
  for (const command of COMMANDS) view[command] = await commandAnswer(place, command);
  for (const route of ROUTES) view[`GET ${route}`] = await doorAnswer(door, route);
  for (const [name, id] of Object.entries(sessions)) {
    view[`GET /audit of ${name}`] = await doorAnswer(door, `/audit?sessionId=${id}&limit=5000`);
    view[`GET /usage of ${name}`] = await doorAnswer(door, `/usage?sessionId=${id}`);
    view[`GET /sessions/${name}/export`] = await exported(door, id);
    for (const route of SESSION_ROUTES)
      view[`GET /sessions/${name}${route}`] = await doorAnswer(door, `/sessions/${id}${route}`);
  }
  for (const name of SHOWN)
    view[`sessions show ${name}`] = linesOf(await place.cli(['sessions', 'show', sessions[name] ?? name]));
  for (const id of idsIn(view['chronicle list']))
    view[`GET /snapshots/${id}/diff`] = await doorAnswer(door, `/snapshots/${id}/diff`);
  view['doctor'] = await doctorAnswer(place);
  return Object.fromEntries(
    Object.entries(view).map(([question, answer]) => [question, place.neutral(answer)]),
  );
}

async function commandAnswer(place: FixturePlace, command: string): Promise<unknown> {
  const { code, stdout, stderr } = await place.cli([...command.split(' '), '--json']);
  return code === 0 ? answerOf(stdout) : { code, stdout, stderr };
}

async function doorAnswer(door: FixtureDoor, route: string): Promise<unknown> {
  const { status, text } = await door.send('GET', `/api/v1${route}`);
  return status === 200 ? answerOf(text) : { status, text };
}

/** The lines of an export. */
async function exported(door: FixtureDoor, session: string): Promise<unknown> {
  const { status, text } = await door.send('GET', `/api/v1/sessions/${session}/export`);
  if (status !== 200) return { status, text };
  const parts = text.split('\n').filter((line) => line !== '');
  const chunks = parts.map((line): unknown => JSON.parse(line)).map((one) => (isChunk(one) ? one.chunk : ''));
  return linesOf({ stdout: chunks.join('') }).map((line): unknown => JSON.parse(line));
}

function isChunk(value: unknown): value is { readonly chunk: string } {
  return typeof value === 'object' && value !== null && 'chunk' in value && typeof value.chunk === 'string';
}

/** JSON, or lines of JSON. */
function answerOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text
      .split('\n')
      .filter((line) => line !== '')
      .map((line): unknown => JSON.parse(line));
  }
}

/** Of doctor: what it looked at in the home, and whether that is sound. The rest is about the machine. */
const OF_THE_HOME =
  /^(home|config|policy|sessions|audit|logs|labels|access|callers|approvals|memory|chronicle|skills|trust)/;

async function doctorAnswer(place: FixturePlace): Promise<unknown> {
  const answer: unknown = JSON.parse((await place.cli(['doctor', '--json'])).stdout);
  const checks: readonly unknown[] = isDoctor(answer) ? answer.checks : [];
  const states = checks.map((one) => ({ name: '', state: '', ...(typeof one === 'object' ? one : {}) }));
  const own = states.filter(({ name }) => OF_THE_HOME.test(name));
  return Object.fromEntries(own.map(({ name, state }) => [name, state]));
}

function isDoctor(value: unknown): value is { readonly checks: readonly unknown[] } {
  return typeof value === 'object' && value !== null && 'checks' in value && Array.isArray(value.checks);
}

function linesOf({ stdout }: { readonly stdout: string }): readonly string[] {
  return stdout.split('\n').slice(0, -1);
}

function idsIn(list: unknown): readonly string[] {
  const entries: readonly unknown[] = Array.isArray(list) ? list : [];
  return entries.flatMap((one) => (isNamed(one) ? [one.id] : []));
}

function isNamed(value: unknown): value is { readonly id: string } {
  return typeof value === 'object' && value !== null && 'id' in value && typeof value.id === 'string';
}
