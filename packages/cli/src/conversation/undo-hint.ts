import type { EngineLink } from '@bulkhead/client';
import type { SessionEvent } from '@bulkhead/protocol';
import type { Output } from '../output/output.ts';
import { newestUndoable } from './undoable.ts';

/** Says how to take back what a run changed, if it changed anything. */
export class UndoHint {
  /** Empty until an action of the run was carried out: most runs have nothing to ask about. */
  #run = '';

  /** Takes the events of one run. */
  note(event: SessionEvent): void {
    if (event.type === 'action_completed') this.#run = event.turn;
  }

  /** One line on `output`. The answer is there already: what fails here is not worth a word. */
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
