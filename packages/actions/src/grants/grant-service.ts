import { Descriptor } from '@bulkhead/files';
import {
  type Action,
  BulkheadError,
  type Clock,
  type IdSource,
  type Origin,
  type ShownFolder,
} from '@bulkhead/protocol';
import { fetchingPattern } from './fetching-pattern.ts';
import { type Grant, type GrantAsked, type GrantScope, type Holder, holderOf, isOfFolders } from './grant.ts';
import type { GrantTable } from './grant-table.ts';

/** The facts of an action that decide which grants serve it. */
export type GrantedAction = Pick<Action, 'sessionId' | 'origin'> & {
  readonly metadata: Pick<Action['metadata'], 'workingFolder' | 'command' | 'background'>;
};

/** Permissions that people gave for later commands of a folder. */
export type GrantStage = Pick<
  GrantService,
  'serving' | 'keep' | 'everywhere' | 'keepEverywhere' | 'list' | 'revoke'
>;

export interface GrantServiceParts {
  readonly table: GrantTable;
  readonly clock: Pick<Clock, 'now'>;
  readonly ids: IdSource;
}

/** Limits the grants of one folder: a person can't oversee more. Those of a folder that is gone don't count. */
const MAX_OF_FOLDER = 200;

/** Permissions that people gave for later commands. Each use looks at the table: a revoked one serves no more. */
export class GrantService {
  readonly #parts: GrantServiceParts;

  constructor(parts: GrantServiceParts) {
    this.#parts = parts;
  }

  /** Oldest first. @throws BulkheadError `store_corrupt` */
  list(): readonly Grant[] {
    return this.#parts.table.all();
  }

  /** @throws BulkheadError `store_failed` */
  revoke(id: string): boolean {
    return this.#parts.table.remove(id);
  }

  /** The grants that serve an action. A command that goes on after its call reaches no server by one. */
  serving(action: GrantedAction): readonly Grant[] {
    const { command, background, workingFolder } = action.metadata;
    if (command === undefined) return [];
    const mine = this.list().filter(({ scope, folder }) => scope === 'home' || folder === workingFolder);
    if (mine.length === 0) return [];
    const pattern = fetchingPattern(command);
    const holder = holderOf(action.origin);
    const serving = mine.filter(
      (grant) =>
        (grant.scope !== 'session' || grant.session === action.sessionId) &&
        isFor(grant, command, pattern) &&
        !(background === true && grant.kind === 'hosts') &&
        isSame(grant.holder, holder),
    );
    if (serving.every(({ scope }) => scope === 'home')) return serving;
    using folder = Descriptor.ofTrustedFolder(workingFolder);
    return serving.filter(({ scope, identity }) => scope === 'home' || folder.isKnownAs(identity));
  }

  /** The grants of an origin for every folder. @throws BulkheadError `store_corrupt` */
  everywhere(origin: Origin): readonly Grant[] {
    const holder = holderOf(origin);
    return this.list().filter((grant) => grant.scope === 'home' && isSame(grant.holder, holder));
  }

  /**
   * Stores a person's permission for the commands of every folder. One that exists is not stored twice.
   *
   * @throws BulkheadError `store_failed`
   */
  keepEverywhere(folders: readonly ShownFolder[], origin: Origin): Grant {
    const { table, clock, ids } = this.#parts;
    const targets = folders.map(({ path }) => path);
    const identities = folders.map(({ identity }) => identity);
    const asked: GrantAsked = { kind: 'toolchain', targets, identities };
    const present = this.everywhere(origin);
    const same = present.find((each) => contentOf(each) === contentOf(asked));
    const [holder, by] = [holderOf(origin), `${origin.channel}/${origin.sender.id}`];
    if (same !== undefined) return same;
    const nowhere = { session: '', folder: '', identity: '' };
    const grant: Grant = { ...asked, ...nowhere, id: ids(), scope: 'home', holder, by, at: clock.now() };
    table.add(grant);
    // Those of the same paths are about folders that are gone.
    const isReplaced = (each: Grant) => JSON.stringify(each.targets) === JSON.stringify(targets);
    for (const each of present.filter(isReplaced)) table.remove(each.id);
    return grant;
  }

  /**
   * Stores a person's permission; it is on the disk when this returns. One that exists is not stored twice.
   *
   * @throws BulkheadError `store_failed`, or `not_available` for a folder with very many
   */
  keep(asked: GrantAsked, scope: Exclude<GrantScope, 'home'>, action: GrantedAction, by: string): Grant {
    const { table, clock, ids } = this.#parts;
    const { workingFolder: folder } = action.metadata;
    using object = Descriptor.ofTrustedFolder(folder);
    const holder = holderOf(action.origin);
    const present = this.list().filter((each) => each.folder === folder && object.isKnownAs(each.identity));
    const same = present.find(
      (each) =>
        each.scope === scope &&
        (scope === 'folder' || each.session === action.sessionId) &&
        isSame(each.holder, holder) &&
        contentOf(each) === contentOf(asked),
    );
    if (same !== undefined) return same;
    if (present.length >= MAX_OF_FOLDER) {
      throw new BulkheadError('not_available', `${folder} has ${MAX_OF_FOLDER} grants`, {
        fix: 'Revoke some: `bulkhead grants list`.',
      });
    }
    const grant: Grant = {
      ...asked,
      id: ids(),
      scope,
      session: action.sessionId,
      folder,
      identity: object.lastingId(),
      holder,
      by,
      at: clock.now(),
    };
    table.add(grant);
    return grant;
  }
}

/** A grant that shows a folder is for all commands of the working folder. */
function isFor(grant: Grant, text: string, itsPattern: string | undefined): boolean {
  const { pattern, command } = grant;
  if (isOfFolders(grant)) return true;
  return pattern === undefined ? command === text : pattern === itsPattern;
}

function contentOf({ kind, targets, identities, write, pattern, command }: GrantAsked): string {
  return JSON.stringify([kind, targets, identities ?? null, write ?? null, pattern ?? null, command ?? null]);
}

function isSame(one: Holder, other: Holder): boolean {
  return one.sender === other.sender && one.channel === other.channel && one.profile === other.profile;
}
