import type { ShellTransaction } from '@bulkhead/sandbox';
import type { LeftProcesses } from '@bulkhead/tools';
import { withContents } from '../losses/with-contents.ts';
import type { FolderQueue } from '../transactions/folder-queue.ts';
import type { ScratchLedger } from '../transactions/scratch-ledger.ts';
import { placeOf } from './with-stay.ts';

/** A settled command whose processes go on. */
interface Left {
  readonly queue: FolderQueue;
  readonly ledger: ScratchLedger;
  readonly actionId: string;
  readonly workingFolder: string;
  readonly scratch: string;
  readonly transaction: ShellTransaction;
  readonly exited: Promise<unknown>;
  /** Ends the command's launcher, and finds its outcome. */
  finish(): Promise<unknown>;
}

/** Processes that outlive their command, with the transaction of their later changes. */
export function leftProcesses(left: Left): LeftProcesses {
  const { queue, ledger, actionId, workingFolder, scratch, transaction, exited, finish } = left;
  const held = ledger.hold(actionId);
  const { later } = transaction;
  return {
    later: {
      ended: later.ended,
      stop: () => later.stop(),
      show: () => later.show(),
      onUnseen: (listener) => later.onUnseen(listener),
      async turn(until) {
        const turn = await queue.enter(placeOf(workingFolder), until);
        try {
          await ledger.mend(workingFolder);
          return turn;
        } catch (error) {
          turn[Symbol.dispose]();
          throw error;
        }
      },
      list: async () =>
        withContents(await later.list(), { work: workingFolder, upper: `${scratch}/held/upper` }),
      async settle(commit) {
        if (commit) await ledger.secure(actionId);
        return await later.settle(commit);
      },
      async recover() {
        transaction.close();
        await exited;
        return await ledger.finishLater(actionId);
      },
      quiet: {
        onReached: (listener) => later.onQuiet(listener),
        async list() {
          const effects = await later.listQuiet();
          const layers = { work: workingFolder, upper: `${scratch}/quiet/upper` };
          return effects && (await withContents(effects, layers));
        },
        async settle(commit) {
          if (commit) await ledger.secure(actionId);
          return await later.settleQuiet(commit);
        },
        async recover() {
          if (later.isLost) {
            transaction.close();
            await exited;
          }
          return await ledger.finishLater(actionId, 'quiet');
        },
      },
    },
    async [Symbol.asyncDispose]() {
      // Closes the channel first: an ended command's launcher waits at it for a decision.
      await finish().catch(() => {});
      held[Symbol.dispose]();
    },
  };
}
