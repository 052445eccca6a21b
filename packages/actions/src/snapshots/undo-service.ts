import type { ListedEntry } from '@bulkhead/audit';
import { type Chronicle, type RollbackReport, type Rollbacks, undone } from '@bulkhead/chronicle';
import { pathFromText } from '@bulkhead/files';
import type { Context } from '@bulkhead/log/context';
import type { FolderQueue } from '@bulkhead/processes/transactions/folder-queue';
import { BulkheadError, describeError } from '@bulkhead/protocol';
import type { SessionFlows } from '../flow/session-flows.ts';
import { canonicalForm } from '../pipeline/canonical-action.ts';
import { type LastingEffect, lastingEffects } from './lasting-effects.ts';

const TOOL = 'rollback';

/** A person's request to undo. */
export interface UndoRequest {
  /** Id of an action; with `turn` also of a run. */
  readonly id: string;
  /** Undoes the whole run of the action, newest action first. */
  readonly turn: boolean;
  readonly skipConflicts: boolean;
  readonly dryRun: boolean;
}

/** The undone changes, and effects of the same actions that cannot be undone. */
export interface UndoReport extends RollbackReport {
  readonly lasting: readonly LastingEffect[];
}

interface ServiceParts {
  readonly chronicle: Chronicle;
  readonly rollbacks: Rollbacks;
  readonly queue: FolderQueue;
  /** The audit entries of a session or an action, in order. */
  entriesOf(
    filter: { readonly session: string } | { readonly action: string },
  ): Promise<readonly ListedEntry[]>;
  /** Labels of files are restored with their content. */
  readonly labels: Pick<SessionFlows, 'restoring' | 'restored'>;
  /** True while the action is running. */
  isOpen(actionId: string): boolean;
  /** @throws BulkheadError `busy` if work is running in the session */
  needIdle(sessionId: string): void;
}

/**
 * Undoes actions when a person asks. A rollback is itself an action: it runs alone in its folder,
 * is in the audit log before its effect, and has its own snapshot.
 */
export class UndoService {
  readonly #context: Pick<Context, 'audit' | 'ids'>;
  readonly #parts: ServiceParts;

  constructor(context: Pick<Context, 'audit' | 'ids'>, parts: ServiceParts) {
    this.#context = context;
    this.#parts = parts;
  }

  /**
   * The actions that a person means: those of a run that are not undone yet.
   *
   * @throws BulkheadError `not_found`
   */
  idsOf({ id, turn }: Pick<UndoRequest, 'id' | 'turn'>): readonly string[] {
    const entries = this.#parts.chronicle.list();
    if (!turn) {
      this.#parts.chronicle.read(id);
      return [id];
    }
    const run = entries.find((entry) => entry.id === id || entry.run === id)?.run;
    const back = undone(entries);
    const ids = entries
      .filter((entry) => entry.kind === 'action' && entry.run === run && !back.has(entry.id))
      .map((entry) => entry.id);
    if (ids.length > 0) return ids;
    throw new BulkheadError('not_found', `there is nothing to undo of ${id}`, {
      fix: '`bulkhead chronicle list` shows what there is.',
    });
  }

  /**
   * @throws BulkheadError `not_found`, `busy`, `not_available`, `store_corrupt`, `cancelled`
   */
  async rollBack(request: UndoRequest, signal: AbortSignal): Promise<UndoReport> {
    await this.#refuseLasting(request);
    const undoes = this.idsOf(request);
    const lasting = await this.#lastingOf(undoes, request);
    return { ...(await this.#rollBackAll(request, undoes, signal)), lasting };
  }

  /** Groups the actions by the folder they changed: the working folder's, and that of memory. */
  byFolder(ids: readonly string[]): readonly (readonly string[])[] {
    const { chronicle } = this.#parts;
    return [...Map.groupBy(ids, (id) => chronicle.read(id).folder.path).values()];
  }

  /**
   * Processes each folder in order. A conflict in one leaves all folders unchanged, unless the
   * request skips conflicts.
   */
  async #rollBackAll(
    request: UndoRequest,
    undoes: readonly string[],
    signal: AbortSignal,
  ): Promise<RollbackReport> {
    const groups = this.byFolder(undoes);
    if (groups.length < 2) return await this.#rollBack(request, undoes, signal);
    const planned: RollbackReport[] = [];
    for (const group of groups)
      planned.push(await this.#rollBack({ ...request, dryRun: true }, group, signal));
    const isBlocked = planned.some(({ conflicts }) => conflicts.length > 0) && !request.skipConflicts;
    if (request.dryRun || isBlocked) return joined(planned);
    const reports: RollbackReport[] = [];
    for (const group of groups) reports.push(await this.#rollBack(request, group, signal));
    return joined(reports);
  }

  async #rollBack(
    request: UndoRequest,
    undoes: readonly string[],
    signal: AbortSignal,
  ): Promise<RollbackReport> {
    const { rollbacks, queue, chronicle, needIdle } = this.#parts;
    const { ids } = this.#context;
    const place = rollbacks.folderOf(undoes);
    for (const session of new Set(undoes.map((id) => chronicle.read(id).session))) needIdle(session);
    using _place = await queue.enter(place, signal);
    await rollbacks.resume(place.path);
    await this.#seeOpen(undoes);
    const plan = { id: ids(), undoes, skipConflicts: request.skipConflicts };
    const planned = await rollbacks.run({ ...plan, dryRun: true });
    if (request.dryRun || !isNeeded(planned, request)) return planned;
    return await this.#recorded(planned, () => rollbacks.run({ ...plan, dryRun: false }));
  }

  /** An action without changes here may have lasting effects elsewhere: the error names those. */
  async #refuseLasting({ id }: UndoRequest): Promise<void> {
    const { chronicle, entriesOf } = this.#parts;
    if (chronicle.list().some((entry) => entry.id === id || entry.run === id)) return;
    const [lasting] = lastingEffects(await entriesOf({ action: id }), () => true);
    if (lasting === undefined) return;
    throw new BulkheadError('not_found', `${lasting.tool} ${id} can not be taken back: ${lasting.reason}`, {
      fix: '`bulkhead chronicle list` shows what can.',
    });
  }

  async #lastingOf(undoes: readonly string[], { turn }: UndoRequest): Promise<readonly LastingEffect[]> {
    const { chronicle, entriesOf } = this.#parts;
    const { session, run } = chronicle.read(undoes[0] ?? '');
    const isMeant = (action: string, of: unknown) => undoes.includes(action) || (turn && of === run);
    return lastingEffects(await entriesOf({ session }), isMeant);
  }

  /** Records interrupted actions now; running ones cannot be undone. */
  async #seeOpen(ids: readonly string[]): Promise<void> {
    const { chronicle, isOpen } = this.#parts;
    for (const { id, state } of chronicle.list()) {
      if (state === 'open' && ids.includes(id) && !isOpen(id)) await chronicle.finish(id, true);
    }
  }

  async #recorded(planned: RollbackReport, act: () => Promise<RollbackReport>): Promise<RollbackReport> {
    const { chronicle, labels } = this.#parts;
    const { audit } = this.#context;
    const { id, undoes, folder } = planned;
    const pathsOf = (report: RollbackReport): readonly string[] =>
      report.restored.map(({ path }) =>
        path === '.' ? folder : `${folder}/${pathFromText(path).toString()}`,
      );
    const { hash } = canonicalForm(TOOL, { folder, undoes: [...undoes] });
    const session = chronicle.read(undoes[0] ?? '').session;
    const entry = { action: id, hash, session, tool: TOOL };
    await audit.append([{ ...entry, step: 'STARTED', details: { folder, undoes } }]);
    try {
      // Labels first: a crash in between only leaves an unneeded label.
      labels.restoring(id, undoes, pathsOf(planned));
      const report = await act();
      if (report.done) labels.restored(id, undoes, pathsOf(report));
      const details = { restored: report.restored.length, conflicts: report.conflicts.length };
      await audit.append([{ ...entry, step: report.done ? 'EXECUTED' : 'FAILED', details }]);
      return report;
    } catch (error) {
      await audit.append([{ ...entry, step: 'FAILED', details: { reason: describeError(error) } }]);
      throw error;
    }
  }
}

/** Combines several folders into one report: paths outside the first folder are absolute. */
function joined(reports: readonly RollbackReport[]): RollbackReport {
  const [first, ...others] = reports;
  if (first === undefined) throw new BulkheadError('not_found', 'there is nothing to take back');
  const whole = <Item extends { readonly path: string }>(folder: string, items: readonly Item[]): Item[] =>
    items.map((item) => ({ ...item, path: `${folder}/${item.path}` }));
  return {
    ...first,
    id: reports.find(({ done }) => done)?.id ?? first.id,
    undoes: reports.flatMap(({ undoes }) => undoes),
    restored: [...first.restored, ...others.flatMap(({ folder, restored }) => whole(folder, restored))],
    conflicts: [...first.conflicts, ...others.flatMap(({ folder, conflicts }) => whole(folder, conflicts))],
    limits: reports.flatMap(({ limits }) => limits),
    done: reports.some(({ done }) => done),
  };
}

/** A conflict leaves everything unchanged, unless the request skips conflicts. */
function isNeeded({ restored, conflicts }: RollbackReport, { skipConflicts }: UndoRequest): boolean {
  return restored.length > 0 && (conflicts.length === 0 || skipConflicts);
}
