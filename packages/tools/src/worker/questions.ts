import type { LinkedObject } from '@bulkhead/files';
import { BulkheadError } from '@bulkhead/protocol';
import type { ToldProtected } from '@bulkhead/protocol/worker';
import type { SendEvent } from './send-event.ts';

/** Questions that this worker's calls ask the engine, each answered once. */
export class Questions {
  readonly #open = new Map<string, PromiseWithResolvers<readonly boolean[]>>();
  #send: SendEvent = () => false;
  #asked = 0;

  /** Sets the receiver of questions; call it before the first question. */
  connect(send: SendEvent): void {
    this.#send = send;
  }

  /**
   * Asks which of these open files are protected ones under other names.
   *
   * @throws BulkheadError `worker_failed` if the engine is gone
   */
  async askProtected(objects: readonly LinkedObject[]): Promise<readonly boolean[]> {
    this.#asked += 1;
    const questionId = `question-${this.#asked}`;
    const answer = Promise.withResolvers<readonly boolean[]>();
    const asked = objects.map(({ dev, ino, ctimeNs }) => ({ device: dev, inode: ino, changedAtNs: ctimeNs }));
    if (!this.#send({ case: 'askProtected', value: { questionId, objects: asked } })) throw gone();
    this.#open.set(questionId, answer);
    return await answer.promise;
  }

  answer({ questionId, protected: answers }: Pick<ToldProtected, 'questionId' | 'protected'>): void {
    this.#open.get(questionId)?.resolve(answers);
    this.#open.delete(questionId);
  }

  /** The engine can't answer any more. */
  end(): void {
    for (const { reject } of this.#open.values()) reject(gone());
    this.#open.clear();
    this.#send = () => false;
  }
}

function gone(): BulkheadError {
  return new BulkheadError('worker_failed', 'the engine can not be asked whether the file is protected');
}
