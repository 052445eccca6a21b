import { createHash } from 'node:crypto';
import { toBinary } from '@bufbuild/protobuf';
import { type Message, MessageSchema } from '@bulkhead/protocol/chat';

const START = new Uint8Array(32);

/**
 * Names a run by the number of its messages and a SHA-256 over them, each hashed together with the
 * digest before it. Both ends keep one: a message that is missing, added, changed or moved gives
 * another digest. Each message is hashed once, so a round costs only its own messages.
 */
export class RunDigest {
  #messages = 0;
  #digest: Uint8Array = START;

  /** @param run the whole run, which begins with the previously given messages */
  of(run: readonly Message[]): { readonly messages: number; readonly digest: Uint8Array } {
    for (const message of run.slice(this.#messages)) {
      const hash = createHash('sha256').update(this.#digest);
      this.#digest = hash.update(toBinary(MessageSchema, message)).digest();
    }
    this.#messages = run.length;
    return { messages: this.#messages, digest: this.#digest };
  }
}
