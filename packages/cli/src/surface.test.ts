import { expect, it } from 'vitest';
import { COMMANDS, PLANNED_COMMANDS } from './command-table.ts';

/*
 * The command line on which people and scripts depend, as literals: a change here affects them. A
 * flag with `=` takes a value.
 */
const SURFACE: Readonly<Record<string, readonly [verbs: string, flags: string]>> = {
  init: ['', '--base-url= --json --key-stdin --model= --no-test --yes'],
  run: [
    '',
    '--approve= --base-url= --continue --cwd= --dry-run --image= --insecure-no-sandbox --isolated --json --max-rounds= --model= --otr --session=',
  ],
  chat: ['', '--continue --cwd= --dry-run --insecure-no-sandbox --model= --no-tui --otr --session='],
  acp: ['', '--model='],
  sessions: [
    'list show search fork move label title compact pin pins unpin export import delete accept-loss',
    '--at= --cwd= --entries --focus= --force --format= --json --limit= --output= --own --summary= --with-forks --yes',
  ],
  export: ['', '--force --format= --json --output='],
  shield: ['eval', '--json --policy= --preset= --summary --tiers= --tools='],
  chronicle: ['list diff rollback verify', '--dry-run --json --limit= --skip-conflicts --turn'],
  usage: ['', '--by= --from= --json --session= --to='],
  context: ['', '--json --session='],
  start: ['', '--daemon --insecure-no-sandbox --join --json --new-home'],
  stop: ['', '--json'],
  restart: ['', '--json'],
  status: ['', '--json'],
  processes: ['list output stop', '--json --session= -f,--follow'],
  logs: ['', '--json --supervisor -f,--follow -n,--lines='],
  token: ['show create list revoke', '--json --login --rotate'],
  doctor: ['', '--confirm-clock --json --remove-copy='],
  config: ['get set unset secret schema', '--json --remove'],
  audit: [
    'list verify export rotate-key proof',
    '--action= --chain --json --key= --limit= --output= --session= --since= --witness=',
  ],
  policy: ['list show test schema', '--action= --args= --cases= --json --preset --tool='],
  approvals: ['list show answer', '--json'],
  why: ['', '--json'],
  grants: ['list revoke toolchains', '--json --yes'],
  box: ['show reset', '--all --json'],
  trust: ['', '--json --list --revoke= --yes'],
  skill: ['list show install pin remove new', '--global --hash= --json --yes'],
  ifc: ['list explain declassify trust', '--json --session= --yes'],
  memory: ['show search add reindex review', '--all --file= --heading= --json --limit= --replaces= --yes'],
  profile: ['list show create use delete', '--from= --json --yes'],
  completion: ['bash zsh fish', ''],
  version: ['', '--json'],
};

async function surfaceOf({ load }: (typeof COMMANDS)[number]): Promise<readonly [string, string]> {
  const { verbs = [], options } = await load();
  const flags = Object.entries(options).map(([name, { value, short }]) => {
    const letter = short === undefined ? '' : `-${short},`;
    return `${letter}--${name}${value === undefined ? '' : '='}`;
  });
  return [verbs.join(' '), flags.toSorted().join(' ')];
}

it('has these commands, verbs and flags, and no others [I1]', async () => {
  const now = await Promise.all(COMMANDS.map(async (entry) => [entry.name, await surfaceOf(entry)] as const));
  expect(Object.fromEntries(now)).toEqual(SURFACE);
});

it('names what the contract promises and is not there yet', () => {
  expect(PLANNED_COMMANDS).toEqual(['extension', 'mcp', 'cron']);
});

/** These are interactive, speak a protocol, or print a program. */
const WITHOUT_DATA = ['acp', 'chat', 'completion'];

it('prints JSON wherever it prints data [I1]', async () => {
  const without = await Promise.all(
    COMMANDS.map(async ({ name, load }) => ('json' in (await load()).options ? [] : [name])),
  );
  expect(without.flat().toSorted()).toEqual(WITHOUT_DATA);
});
