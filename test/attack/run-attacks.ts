import { chmod, mkdir } from 'node:fs/promises';
import { release } from 'node:os';
import type { Attempt, BoxKind } from './attempt.ts';
import { compileAttack, compileWithout, findCompiler } from './compile.ts';
import type { ShellView } from './launch-on-view.ts';
import { nativeAttempts } from './list-native-attempts.ts';
import { Suite, type SuiteReport } from './run-suite.ts';
import { boxesOf, type Wall, walls } from './walls.ts';
import { createWorld, type World } from './world.ts';

export interface AttackOrder {
  /** Folder whose `prebuilt` holds the launcher to attack. */
  readonly packageRoot: string;
  readonly canary: string;
  readonly boxes: readonly BoxKind[];
  /** Whether agents and workers get their second wall, which must not be necessary. */
  readonly nameSpaces: boolean;
  /** The view of shell commands. */
  readonly view: ShellView;
  /** Names of walls to take away, one at a time, or `all`. */
  readonly without: readonly string[];
}

/** How a missing wall in one kind of box was noticed. */
export interface MissingWall {
  readonly wall: string;
  readonly box: BoxKind;
  readonly noticed: readonly string[];
}

export interface AttackReport {
  readonly kernel: string;
  readonly root: boolean;
  readonly nameSpaces: boolean;
  readonly view: ShellView;
  /** Absent with a compiler: then the native attacks ran. */
  readonly nativeSkipped?: string;
  readonly controls: { readonly canaries: number; readonly arrived: Readonly<Record<string, number>> };
  readonly suite: SuiteReport;
  readonly missing: readonly MissingWall[];
}

export async function runAttacks(order: AttackOrder): Promise<AttackReport> {
  const { packageRoot, canary, boxes, nameSpaces, view } = order;
  const compiler = await findCompiler();
  const compile = async (path: string): Promise<boolean> => {
    if (compiler === undefined) return false;
    await compileAttack(compiler, packageRoot, path);
    return true;
  };
  await using world = await createWorld(canary, compile);
  const native: readonly Attempt[] = compiler === undefined ? [] : await nativeAttempts(world.attack);
  const suite = await Suite.prepare(world, native, view);
  const { canaries, arrived } = suite.controls;
  const report = await suite.attack(packageRoot, boxes, nameSpaces);
  const missing: MissingWall[] = [];
  for (const wall of chosenWalls(order)) {
    if (compiler === undefined) break;
    const root = await buildWithout(compiler, packageRoot, wall, world);
    const kinds = boxesOf(wall, nameSpaces).filter((kind) => boxes.includes(kind));
    if (kinds.length === 0) continue;
    const attacked = await suite.attack(root, kinds, nameSpaces);
    missing.push(...kinds.map((box) => ({ wall: wall.name, box, noticed: noticed(box, attacked, report) })));
  }
  return {
    kernel: release(),
    root: process.getuid?.() === 0,
    nameSpaces,
    view,
    ...(compiler === undefined ? { nativeSkipped: 'no compiler' } : {}),
    controls: { canaries, arrived: Object.fromEntries(arrived) },
    suite: report,
    missing,
  };
}

function chosenWalls({ without }: AttackOrder): readonly Wall[] {
  const known = new Set(['all', ...walls.map(({ name }) => name)]);
  const unknown = without.filter((name) => !known.has(name));
  if (unknown.length > 0) throw new Error(`No wall ${unknown.join()}; there are ${[...known].join(' ')}`);
  const isRoot = process.getuid?.() === 0;
  return walls.filter(
    ({ name, rootOnly }) =>
      (without.includes('all') || without.includes(name)) && (isRoot || rootOnly === undefined),
  );
}

async function buildWithout(
  compiler: string,
  packageRoot: string,
  wall: Wall,
  world: World,
): Promise<string> {
  const root = `${world.folder}/without/${wall.name}`;
  const folder = `${root}/prebuilt/${process.platform}-${process.arch}`;
  await mkdir(folder, { recursive: true });
  await compileWithout(compiler, packageRoot, wall.define, `${folder}/bulkhead-launcher`);
  await chmod(`${folder}/bulkhead-launcher`, 0o755);
  return root;
}

/** Results worse than in the complete box. */
function noticed(box: BoxKind, attacked: SuiteReport, whole: SuiteReport): string[] {
  const why = attacked.noBox[box];
  if (why !== undefined && whole.noBox[box] === undefined) return [`no box: ${why}`];
  const before = new Map(
    whole.judged.filter((one) => one.box === box).map((one) => [one.attempt.name, one.verdict]),
  );
  const facts = attacked.facts.filter((fact) => fact.box === box && !fact.holds).map(({ name }) => name);
  const attempts = attacked.judged
    .filter((one) => one.box === box && one.verdict === 'failed' && before.get(one.attempt.name) !== 'failed')
    .map(({ attempt }) => attempt.name);
  return [...facts, ...attempts];
}
