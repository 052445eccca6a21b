import { readPrivateFile } from '@bulkhead/home/config/file/read-private-file';
import { replaceFile } from '@bulkhead/home/config/file/replace-file';
import { BulkheadError } from '@bulkhead/protocol';
import * as z from 'zod';

/** Places whose skills are pinned one by one. */
export type PinnedOrigin = 'global' | 'profile';

/** Most pins; far more than skills anybody has. */
const MAX_PINS = 5_000;

const schema = z.strictObject({
  version: z.literal(1),
  pins: z
    .array(
      z.strictObject({
        origin: z.enum(['global', 'profile']),
        name: z.string().regex(/^[a-z0-9-]{1,64}$/),
        hash: z.string().regex(/^[0-9a-f]{64}$/),
        /** Milliseconds since 1970. */
        pinnedAt: z.int(),
        /** Address and commit its content was fetched from; absent for what was on this machine. */
        fetchedFrom: z.string().max(6_000).optional(),
      }),
    )
    .max(MAX_PINS),
});

type Pin = z.infer<typeof schema>['pins'][number];

/**
 * Which content of which skill a person confirmed. One private file; the engine, which holds the home's lock, is its only
 * writer. One that is damaged or open to others pins nothing.
 */
export class SkillPins {
  readonly #path: string;
  #stamp: string | undefined;
  #pins: readonly Pin[] = [];

  /** @param path of the file, made when the first pin is set */
  constructor(path: string) {
    this.#path = path;
  }

  /**
   * The confirmed state of a skill; undefined if it was not confirmed.
   *
   * @throws BulkheadError `config_invalid`, `store_corrupt` for a file that can't be trusted
   */
  get(origin: PinnedOrigin, name: string): Pin | undefined {
    return this.#read().find((pin) => pin.origin === origin && pin.name === name);
  }

  /** On the disk when it returns. @throws BulkheadError as `get`; `not_available` if it can't be written */
  set(pin: Pin): void {
    this.#write([...this.#without(pin.origin, pin.name), pin]);
  }

  /** As `set`, for a skill that is no more. */
  remove(origin: PinnedOrigin, name: string): void {
    const rest = this.#without(origin, name);
    if (rest.length < this.#pins.length) this.#write(rest);
  }

  #without(origin: PinnedOrigin, name: string): Pin[] {
    return this.#read().filter((pin) => pin.origin !== origin || pin.name !== name);
  }

  #read(): readonly Pin[] {
    const file = readPrivateFile(this.#path, { knownStamp: this.#stamp });
    if (file === undefined) {
      this.#stamp = undefined;
      this.#pins = [];
    } else if (file.text !== undefined) {
      this.#pins = this.#parse(file.text);
      this.#stamp = file.stamp;
    }
    return this.#pins;
  }

  #parse(text: string): readonly Pin[] {
    try {
      return schema.parse(JSON.parse(text)).pins;
    } catch (cause) {
      throw new BulkheadError(
        'store_corrupt',
        `${this.#path} is no list of pinned skills that this version understands`,
        {
          fix: 'Move it away and confirm your skills again: bulkhead skill pin NAME',
          cause,
        },
      );
    }
  }

  #write(pins: readonly Pin[]): void {
    const sorted = pins.toSorted((a, b) => (`${a.origin}/${a.name}` < `${b.origin}/${b.name}` ? -1 : 1));
    replaceFile(this.#path, `${JSON.stringify({ version: 1, pins: sorted }, null, 2)}\n`);
    this.#stamp = undefined;
  }
}
