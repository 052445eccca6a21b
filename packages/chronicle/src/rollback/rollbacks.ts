import { Descriptor, listNames, openFolderBelow, pathText } from '@bulkhead/files';
import { BulkheadError } from '@bulkhead/protocol';
import type { Chronicle } from '../chronicle.ts';
import type { ChronicleStep } from '../chronicle-step.ts';
import { lookAtObject } from '../look-at-object.ts';
import { MISSING, type ObjectState, sameContent } from '../object-state.ts';
import { namesOfText } from '../path-names.ts';
import type { Snapshot } from '../snapshot.ts';
import { hashOnly } from '../store/copy-content.ts';
import { compose } from './compose.ts';
import { limitsOf } from './limits.ts';
import { planRollback, type RestoreStep, type RollbackConflict } from './plan-rollback.ts';
import { Restorer } from './restorer.ts';
import { type OpenRollback, RollbackJournal } from './rollback-journal.ts';

export interface RollbackRequest {
  /** Id of the rollback, which is itself an action and can be undone. */
  readonly id: string;
  /** Ids of the actions to undo, in any order. */
  readonly undoes: readonly string[];
  /** Restores the other objects if some conflict. */
  readonly skipConflicts: boolean;
  /** Reports the plan without executing it. */
  readonly dryRun: boolean;
}

export interface RollbackReport {
  readonly id: string;
  readonly undoes: readonly string[];
  readonly folder: string;
  /** Restored objects, or planned ones; without the times of folders. */
  readonly restored: readonly RestoreStep[];
  readonly conflicts: readonly RollbackConflict[];
  /** Differences that remain in restored objects, a line each. */
  readonly limits: readonly string[];
  /** True if it was executed; false if a conflict prevented it, or nothing needed a change. */
  readonly done: boolean;
}

interface RollbackParts {
  readonly chronicle: Chronicle;
  /** Folder for journals; exists, and is private. */
  readonly journals: string;
  onStep?(step: ChronicleStep): void;
}

/** Undoes actions [U2]. The caller must run only one at a time in a folder. */
export class Rollbacks {
  readonly #parts: RollbackParts;
  readonly #journal: RollbackJournal;

  constructor(parts: RollbackParts) {
    this.#parts = parts;
    this.#journal = new RollbackJournal(parts.journals);
  }

  /**
   * Returns the folder that some actions changed. @throws BulkheadError `not_found`, `usage` if
   * there are several
   */
  folderOf(ids: readonly string[]): Snapshot['folder'] {
    return onlyFolder(this.#read(ids));
  }

  /**
   * @throws BulkheadError `not_found`; `not_available` if the folder has been replaced;
   * `store_corrupt`; the system's errors: `resume` then continues a started rollback
   */
  async run(request: RollbackRequest): Promise<RollbackReport> {
    const { chronicle } = this.#parts;
    const snapshots = this.#read(request.undoes).toSorted((a, b) => a.order - b.order);
    const place = onlyFolder(snapshots);
    const open = snapshots.find(({ state }) => state === 'open');
    if (open !== undefined) throw new BulkheadError('busy', `the action ${open.id} is not over yet`);
    using root = openPlace(place);
    // The path may name another folder between the snapshots.
    if (!snapshots.every(({ folder }) => root.isKnownAs(folder.identity))) throw otherFolder(place.path);
    const changes = compose(snapshots);
    const states = new Map<string, ObjectState>();
    for (const { path } of changes) {
      states.set(path, (await lookAtObject(root, namesOfText(path), hashOnly)).state);
    }
    const { steps, conflicts } = planRollback(changes, {
      stateOf: (path) => states.get(path) ?? MISSING,
      entriesOf: (path) => entriesOf(root, path),
    });
    const undoes = snapshots.map(({ id }) => id);
    const report = {
      id: request.id,
      undoes,
      folder: place.path,
      restored: shown(steps),
      conflicts,
      limits: limitsOf(steps),
    };
    const isStopped = conflicts.length > 0 && !request.skipConflicts;
    if (request.dryRun || isStopped || steps.length === 0) return { ...report, done: false };
    await chronicle.take({
      id: request.id,
      run: '',
      session: snapshots.at(-1)?.session ?? '',
      tool: 'rollback',
      about: `of ${undoes.join(' ')}`,
      folder: place.path,
      paths: steps.map(({ path }) => ({ path: Buffer.concat(joined(namesOfText(path))) })),
      undoes,
    });
    const { found, sure } = this.#stillThere(request.id, steps);
    await this.#journal.put({ id: request.id, steps: sure });
    this.#parts.onStep?.('journalled');
    const met = await this.#apply(root, { id: request.id, steps: sure });
    const all = [...conflicts, ...found, ...met];
    return { ...report, restored: shown(sure), conflicts: all, limits: limitsOf(sure), done: true };
  }

  /**
   * Returns interrupted rollbacks: their snapshots must not be touched. @throws BulkheadError
   * `store_corrupt`
   */
  pending(): ReadonlySet<string> {
    return new Set(this.#journal.open().map(({ id }) => id));
  }

  /**
   * Continues rollbacks that a crash or an error interrupted. Call it before other changes of the
   * folders.
   *
   * @param path of the only folder to repair; undefined: all
   * @returns one report each
   * @throws the first error, after all were tried: BulkheadError `store_corrupt`, `not_available`;
   * the system's errors
   */
  async resume(path?: string): Promise<readonly RollbackReport[]> {
    const reports: RollbackReport[] = [];
    const errors: unknown[] = [];
    for (const open of this.#journal.open()) {
      try {
        const report = await this.#resumeOne(open, path);
        if (report !== undefined) reports.push(report);
      } catch (error) {
        errors.push(error);
      }
    }
    if (errors.length > 0) throw errors[0];
    return reports;
  }

  async #resumeOne(open: OpenRollback, path?: string): Promise<RollbackReport | undefined> {
    const { chronicle } = this.#parts;
    if (!chronicle.has(open.id)) {
      // Only this was missing: the rollback had no effect.
      await this.#journal.remove(open.id);
      return undefined;
    }
    const { undoes, folder } = chronicle.read(open.id);
    if (path !== undefined && path !== folder.path) return undefined;
    using root = openPlace(folder);
    const conflicts = await this.#apply(root, open);
    const limits = limitsOf(open.steps);
    return {
      id: open.id,
      undoes,
      folder: folder.path,
      restored: shown(open.steps),
      conflicts,
      limits,
      done: true,
    };
  }

  async #apply(root: Descriptor, open: OpenRollback) {
    const { chronicle, onStep } = this.#parts;
    const restorer = new Restorer({
      root,
      blobs: chronicle.blobs,
      id: open.id,
      onStep: (step) => onStep?.(step),
    });
    const conflicts = await restorer.restore(open.steps);
    onStep?.('applied');
    await chronicle.finish(open.id);
    onStep?.('seen');
    await this.#journal.remove(open.id);
    return conflicts;
  }

  /** The kept state must equal the planned one: an edit in between is a conflict. */
  #stillThere(id: string, steps: readonly RestoreStep[]) {
    const kept = new Map(this.#parts.chronicle.read(id).changes.map(({ path, before }) => [path, before]));
    const isSure = ({ path, from }: RestoreStep) => sameContent(kept.get(path) ?? MISSING, from);
    const found = steps
      .filter((step) => !isSure(step))
      .map(({ path }) => ({ path, reason: 'was changed meanwhile' }));
    return { found, sure: steps.filter(isSure) };
  }

  #read(ids: readonly string[]): Snapshot[] {
    return [...new Set(ids)].map((id) => this.#parts.chronicle.read(id));
  }
}

/** Times of folders follow their content, so they are not reported. */
function shown(steps: readonly RestoreStep[]): RestoreStep[] {
  return steps.filter(({ from, to }) => !(from.kind === 'folder' && sameContent(from, to)));
}

function onlyFolder(snapshots: readonly Snapshot[]): Snapshot['folder'] {
  const [first] = snapshots;
  if (first === undefined) throw new BulkheadError('not_found', 'there is nothing to take back');
  const other = snapshots.find(({ folder }) => folder.path !== first.folder.path);
  if (other === undefined) return first.folder;
  throw new BulkheadError(
    'usage',
    `these actions changed several folders: ${first.folder.path}, ${other.folder.path}`,
    { fix: 'Take them back one by one.' },
  );
}

function openPlace({ path, identity }: Snapshot['folder']): Descriptor {
  using guard = new DisposableStack();
  try {
    const root = guard.use(Descriptor.ofTrustedFolder(path));
    if (root.isKnownAs(identity)) {
      guard.move();
      return root;
    }
  } catch (cause) {
    throw new BulkheadError('not_available', `the folder ${path} can't be opened`, { cause });
  }
  throw otherFolder(path);
}

function otherFolder(path: string): BulkheadError {
  return new BulkheadError('not_available', `${path} is another folder now than the one that was changed`, {
    fix: 'Put that one back where it was, and undo then.',
  });
}

function entriesOf(root: Descriptor, path: string): readonly string[] {
  using folder = openFolderBelow(root, namesOfText(path));
  return folder === undefined ? [] : listNames(folder).map(pathText);
}

function joined(names: readonly Buffer[]): Buffer[] {
  if (names.length === 0) return [Buffer.from('.')];
  return names.flatMap((name, index) => (index === 0 ? [name] : [Buffer.from('/'), name]));
}
