import type { Caller } from './caller.ts';

/** What the engine keeps of those who speak OpenAI's API: it outlives the engine. */
export interface CallerBook {
  /** The session that this caller gave this name to; undefined if none. A caller reaches no other's. */
  sessionOf(caller: string, name: string): string | undefined;
  /** @throws BulkheadError `store_failed` */
  keep(caller: string, name: string, sessionId: string): void;
  /** The folder that sessions of this caller work in, absolute; made if it isn't there. @throws BulkheadError `usage` */
  folderOf(caller: Pick<Caller, 'name'>): string;
}
