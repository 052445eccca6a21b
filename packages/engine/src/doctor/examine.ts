import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { notTakenOver } from '@bulkhead/actions/policy/not-taken-over';
import { readPolicy } from '@bulkhead/actions/policy/read-policy';
import { checkSigningKey, verifyAuditLog } from '@bulkhead/audit';
import { loadConfig } from '@bulkhead/home/config/load-config';
import { secretLookup } from '@bulkhead/home/config/secrets/open-secret-store';
import { damagedCopies } from '@bulkhead/home/folder/damaged-copies';
import { checkHome } from '@bulkhead/home/folder/home-trace';
import { advanceClock } from '@bulkhead/home/time/advance-clock';
import { readClockFile } from '@bulkhead/home/time/clock-file';
import { CONFIRM_CLOCK, describeGap } from '@bulkhead/home/time/describe-gap';
import { systemMachineClock } from '@bulkhead/home/time/system-machine-clock';
import { CONFIGURED } from '@bulkhead/log/session/accepted-input';
import { boxLimits } from '@bulkhead/processes/boxes/box-limits';
import type { CommandBox } from '@bulkhead/processes/boxes/command-box';
import { type BoxDescription, describeBoxes } from '@bulkhead/processes/boxes/describe-boxes';
import { ripgrepPath } from '@bulkhead/processes/boxes/ripgrep-path';
import { askOllama } from '@bulkhead/processes/models/ask-ollama';
import { ModelSource } from '@bulkhead/processes/models/model-source';
import { findLocalModel } from '@bulkhead/processes/models/suggested-model';
import { describeView } from '@bulkhead/processes/transactions/command-view';
import {
  BulkheadError,
  type Clock,
  type HomeLayout,
  homeLayout,
  type MachineClock,
  systemClock,
} from '@bulkhead/protocol';
import { openGround } from '../ground/open-ground.ts';
import { openSandbox } from '../ground/open-sandbox.ts';
import { tryAgent, tryWorker } from '../ground/try-processes.ts';
import type { Check, Finding } from './check.ts';
import { canWrite, diskReport } from './disk-report.ts';
import { homeReport, isBeforeFirstStart } from './home-report.ts';
import { lookAtSessions } from './session-report.ts';
import { stateReports } from './state-reports.ts';

export interface ExamineOptions {
  readonly home: string;
  readonly dist: string;
  readonly nodePath: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** Checks each need of the engine separately, by real use. */
export async function examine(options: ExamineOptions): Promise<{ readonly checks: readonly Check[] }> {
  const layout = homeLayout(options.home);
  const checks: Check[] = [];
  const check = async (
    name: string,
    look: () => Finding | string | Promise<Finding | string>,
  ): Promise<void> => {
    try {
      checks.push(rowOf(name, await look()));
    } catch (error) {
      const { message, fix = '' } = BulkheadError.from(error);
      const first = checks.find(({ state, detail }) => state === 'bad' && detail === message);
      if (first === undefined) checks.push({ name, state: 'bad', detail: message, fix });
      else checks.push({ name, state: 'bad', detail: `not looked at: see ${first.name}`, fix: '' });
    }
  };
  await check('node', () => `${process.versions.node} (SQLite ${process.versions['sqlite'] ?? 'missing'})`);
  await check('home', () => {
    checkHome(layout, options.environment);
    return homeReport(layout);
  });
  const isHome = statSync(layout.root, { throwIfNoEntry: false })?.isDirectory() === true;
  if (isHome) {
    await check('disk', () => diskReport(layout));
    await check('config', () => configReport(layout));
    await check('policy', () => policyReport(layout));
  }
  await check('model', () => modelReport(options, layout));
  await check('search', () => ripgrepPath());
  await check('sandbox', () => sandboxReport(options, layout));
  if (!isHome) return { checks };
  await check('audit log', () => auditReport(layout));
  await check('clock', async () => clockReport(layout, systemClock, systemMachineClock()));
  checks.push(...(await lookAtSessions(layout)));
  if (existsSync(layout.damaged)) await check('kept copies', () => copiesReport(layout));
  const isSaid = checks.some(({ name, state }) => state === 'bad' && ['config', 'policy'].includes(name));
  const opened = await stateReports(layout, options.environment);
  // The settings are read from config and policy, whose own rows already report their problems.
  checks.push(...opened.filter(({ name, state }) => !(isSaid && name === 'settings' && state === 'bad')));
  return { checks };
}

function rowOf(name: string, found: Finding | string): Check {
  if (typeof found === 'string') return { name, state: 'ok', detail: found, fix: '' };
  const { detail, better } = found;
  return { name, state: better === undefined ? 'ok' : 'warn', detail, fix: better ?? '' };
}

function configReport(layout: HomeLayout): string {
  loadConfig(layout.config);
  return existsSync(layout.config) ? layout.config : 'all defaults';
}

function copiesReport(layout: HomeLayout): Finding {
  const copies = damagedCopies(layout);
  if (copies.length === 0) return { detail: 'none' };
  const listed = copies.map(
    ({ name, bytes, isWhole }) =>
      `${name} (${(bytes / 1_048_576).toFixed(1)} MB${isWhole ? '' : ', write-ahead log only'})`,
  );
  return {
    detail: `of a session database that had lost records, in ${layout.damaged}: ${listed.join(', ')}`,
    better: 'One that is not needed any more: `bulkhead doctor --remove-copy NAME`.',
  };
}

function policyReport(layout: HomeLayout): string {
  if (isBeforeFirstStart(layout)) return 'none yet: the first start puts the shipped ones there';
  const { policy } = loadConfig(layout.config);
  const { name, digest, answered } = readOrSay(() => readPolicy(layout, policy));
  const always = answered.length === 0 ? '' : `, ${answered.length} answered with always`;
  return `${name} (version ${digest.slice(0, 12)}${always})`;
}

/**
 * @throws BulkheadError in the words of `status` for an engine that continues with another policy
 */
function readOrSay<Policy>(read: () => Policy): Policy {
  try {
    return read();
  } catch (error) {
    throw notTakenOver(BulkheadError.from(error));
  }
}

async function modelReport(options: ExamineOptions, layout: HomeLayout): Promise<Finding> {
  const config = loadConfig(layout.config);
  const { environment } = options;
  const { store } = config.secrets;
  const secret = secretLookup({ layout, store, environment, platform: process.platform });
  const keys = { environment, secret };
  const ask = () => askOllama(environment, fetch);
  const source = new ModelSource({
    models: config.models,
    local: await findLocalModel({ configured: config.models.chat, keys, ask }),
    keys,
    limits: {
      firstTokenMs: config.timeouts.firstTokenSeconds * 1_000,
      idleMs: config.timeouts.idleSeconds * 1_000,
      totalMs: config.timeouts.answerSeconds * 1_000,
    },
  });
  const { name } = source.client(CONFIGURED);
  const skipped = source.skippedFallbacks();
  const left = skipped.map((fallback) => `; fallback ${fallback.name} is left out: ${fallback.reason}`);
  const detail = `${name} (settings only: no call was made)${left.join('')}`;
  if (config.models.chat === undefined && name === OFFLINE) return { detail, better: CHOOSE_MODEL };
  return skipped.length === 0 ? { detail } : { detail, better: MEND_FALLBACKS };
}

/** The model without any set-up. */
const OFFLINE = 'offline/rules';
const CHOOSE_MODEL =
  'It answers by rules. `bulkhead init` sets a real model up and tests it; a stored key does, too, as in `bulkhead config secret ANTHROPIC_API_KEY`.';
const MEND_FALLBACKS =
  'Store the key that is missing, or take the model out of models.fallback in config.yaml.';

/** Like the engine's start, in a separate folder: an engine may be running. */
async function sandboxReport(options: ExamineOptions, layout: HomeLayout): Promise<Finding> {
  const { dist, nodePath } = options;
  const limits = boxLimits(loadConfig(layout.config));
  // Beside the engine's own folder if it exists; a home that was never started has none, and gets
  // none here. Problems of its disk have their own row.
  const isWritable = existsSync(layout.run) && (await canWrite(layout.run));
  const scratch = mkdtempSync(`${isWritable ? layout.run : tmpdir()}/doctor-`);
  try {
    const proven = await openSandbox(dist, nodePath, scratch);
    await using opened = await openGround({ dist, nodePath, folder: `${scratch}/ground` });
    const { ground, controlled } = opened;
    const trial = { ...proven, ground, dist, nodePath, limits };
    await Promise.all([
      controlled,
      tryAgent(trial),
      tryWorker({ ...trial, home: layout.root, folder: `${scratch}/trial` }),
    ]);
    return commandReport(describeBoxes(proven.report, limits), proven.commandBox);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

async function auditReport(layout: HomeLayout): Promise<string> {
  if (!existsSync(layout.audit)) return 'empty';
  const { ok, entries, firstBad, signed } = await verifyAuditLog(layout.audit);
  if (ok && signed !== undefined) checkSigningKey(layout.audit, signed.key);
  if (ok) return `${entries} entries, ${signed === undefined ? 'chain' : 'chain and signed tree'} intact`;
  const where = `the first bad entry is ${firstBad?.file}:${firstBad?.line}: ${firstBad?.reason}`;
  throw new BulkheadError('audit_failed', where, {
    fix: `Restore ${layout.audit} from a backup. \`bulkhead audit verify\` says more.`,
  });
}

/**
 * Checks that the wall clock has a plausible time. Writes nothing: an engine may be running.
 * @throws BulkheadError `store_corrupt`
 */
function clockReport(
  { clock: path }: Pick<HomeLayout, 'clock'>,
  clock: Pick<Clock, 'now'>,
  machine: MachineClock,
): Finding {
  const before = readClockFile(path);
  const now = clock.now();
  const detail = new Date(now).toISOString();
  if (before === undefined) return { detail };
  const reading = { wall: now, sinceBoot: machine.sinceBoot(), boot: machine.boot };
  const problem = describeGap(advanceClock(before, reading, true));
  if (problem === undefined) return { detail };
  return { detail: problem, better: `If the clock is right: ${CONFIRM_CLOCK}` };
}

/**
 * Describes the boxes of commands on this machine.
 *
 * @throws BulkheadError `sandbox_unavailable` if commands have no box at all, with a remedy
 */
export function commandReport(
  boxes: readonly BoxDescription[],
  { asks, view }: Pick<CommandBox, 'asks' | 'view'>,
): Finding {
  const walls = boxes.map(({ kind, detail }) => `${kind}: ${detail}`).join('; ');
  if (asks === undefined) {
    if (view === undefined) return { detail: walls };
    const detail = `${walls}; ${describeView(view)}`;
    return view.kind === 'live' ? { detail, better: OVERLAY } : { detail };
  }
  const report = `${walls}; every command asks: ${asks.reason}`;
  if (asks.rule === 'commands/live') return { detail: `${report} (bwrap makes its box)`, better: REMEDY };
  throw new BulkheadError('sandbox_unavailable', report, { fix: REMEDY });
}

/** The documentation of systems that forbid name spaces by default. */
const REMEDY =
  'Install bubblewrap (bwrap), or let this user make user name spaces: on Ubuntu `sudo sysctl kernel.apparmor_restrict_unprivileged_userns=0`, elsewhere `sudo sysctl user.max_user_namespaces=15000`; in a container the host must allow it. Then `bulkhead restart`';

const OVERLAY =
  'Put the home on a disk of this machine (ext4, xfs, btrfs) with room on it. Then `bulkhead restart`';
