import type { EngineLink } from '@bulkhead/client';
import type { SessionEvent } from '@bulkhead/protocol';
import type { Output } from '../output/output.ts';
import { newestUndoable } from './undoable.ts';

/** Shows how to undo a run's changes, if it made any. */
export class UndoHint {
  /** Empty until an action of the run was executed: most runs change nothing. */
  #run = '';

  /** Takes the events of one run. */
  note(event: SessionEvent): void {
    if (event.type === 'action_completed') this.#run = event.turn;
  }

  /** One line on `output`. The answer is already complete, so a failure here is not reported. */
  async tell(link: EngineLink, output: Output, signal: AbortSignal): Promise<void> {
    const run = this.#run;
    if (run === '') return;
    const action = await link
      .once((client) => newestUndoable(client, { run }, signal))
      .catch(() => undefined);
    if (action === undefined) return;
    const command = `bulkhead chronicle rollback ${output.safe(action.id)} --turn`;
    output.line(output.palette.dim(`undo with: ${command}`));
  }
}
