import type { Context } from '@bulkhead/log/context';
import type { HomeLayout } from '@bulkhead/protocol';
import { BackgroundCommands } from '@bulkhead/tools';
import { KeptCommandRecords } from './command-records.ts';
import type { ScratchLedger } from './scratch-ledger.ts';

/** Background commands that are remembered in the home, without those of sessions off the record. */
export function openBackground(
  { log, logger, redaction, storage }: Pick<Context, 'log' | 'logger' | 'redaction' | 'storage'>,
  { state }: Pick<HomeLayout, 'state'>,
  ledger: Pick<ScratchLedger, 'keptLater'>,
  isOffTheRecord: (sessionId: string) => boolean,
): BackgroundCommands {
  const isKept = (id: string) => log.store.getSession(id) !== undefined && !isOffTheRecord(id);
  const folder = `${state}/background`;
  const records = new KeptCommandRecords({
    folder,
    redaction,
    isKept,
    wasKept: (actionId) => ledger.keptLater(actionId),
    onError: (error) => void storage.report(error, folder),
  });
  const background = new BackgroundCommands(records);
  background.onEnd(({ id, sessionId, remarks }) => {
    const said = isOffTheRecord(sessionId) ? { remarks: remarks.length } : { remarks };
    if (remarks.length > 0) logger.warn({ id, sessionId, ...said }, 'a background command ended');
  });
  return background;
}
