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
  /** Of the rollback, which is an action and can be undone. */
  readonly id: string;
  /** Of the actions that are taken back, in any order. */
  readonly undoes: readonly string[];
  /** Restores the rest where something conflicts. */
  readonly skipConflicts: boolean;
  /** Says what would be, and does nothing. */
  readonly dryRun: boolean;
}

export interface RollbackReport {
  readonly id: string;
  readonly undoes: readonly string[];
  readonly folder: string;
  /** What was restored, or would be; without the times of folders. */
  readonly restored: readonly RestoreStep[];
  readonly conflicts: readonly RollbackConflict[];
  /** What of the restored objects is not as it was, a line each. */
  readonly limits: readonly string[];
  /** True if it was done; false if a conflict kept all as it is, or nothing was to be done. */
  readonly done: boolean;
}

interface RollbackParts {
  readonly chronicle: Chronicle;
  /** For journals; exists, and is nobody else's. */
  readonly journals: string;
  onStep?(step: ChronicleStep): void;
}

/** Takes actions back [U2]. One at a time in a folder: the caller sees to that. */
export class Rollbacks {
  readonly #parts: RollbackParts;
  readonly #journal: RollbackJournal;

  constructor(parts: RollbackParts) {
    this.#parts = parts;
    this.#journal = new RollbackJournal(parts.journals);
  }

  /** The folder that some actions changed. @throws BulkheadError `not_found`, `usage` if there are several */
  folderOf(ids: readonly string[]): Snapshot['folder'] {
    return onlyFolder(this.#read(ids));
  }

  /**
   * @throws BulkheadError `not_found`; `not_available` if the folder is another one now; `store_corrupt`; the system's
   *   errors: what had begun is then gone on with by `resume`
   */
  async run(request: RollbackRequest): Promise<RollbackReport> {
    const { chronicle } = this.#parts;
    const snapshots = this.#read(request.undoes).toSorted((a, b) => a.order - b.order);
    const place = onlyFolder(snapshots);
    const open = snapshots.find(({ state }) => state === 'open');
    if (open !== undefined) throw new BulkheadError('busy', `the action ${open.id} is not over yet`);
    using root = openPlace(place);
    // Of the same name; one may have been put in the place of another between them.
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

  /** Rollbacks that a crash or an error has cut off: their snapshots are not to be touched. @throws BulkheadError `store_corrupt` */
  pending(): ReadonlySet<string> {
    return new Set(this.#journal.open().map(({ id }) => id));
  }

  /**
   * Goes on with what a crash or an error has cut off. To be called before anything else changes the folders.
   *
   * @param path of the one folder to bring in order; undefined: all
   * @returns one report each
   * @throws the first error, once all were tried: BulkheadError `store_corrupt`, `not_available`; the system's errors
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
      // It was over but for this, and came to nothing.
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

  /** What was kept must be what was planned with: an edit in between is a conflict. */
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

/** Times of folders follow what is in them: nobody needs to be told. */
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
