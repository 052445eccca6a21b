import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import { BulkheadError, describeError } from '@bulkhead/protocol';

/** Characters; more than any message with its images. */
const LONGEST_LINE = 256 * 1024 * 1024;

/** The error for a file that can't be imported. */
export function badFile(line: number, why: string, cause?: unknown): BulkheadError {
  return new BulkheadError('usage', `line ${line} of the session file: ${why}`, {
    cause,
    fix: 'Nothing was imported. Export the session again, with this version of Bulkhead or an earlier one.',
    details: { line },
  });
}

/** A line as an object with exactly the fields of `shape`. @throws BulkheadError `usage` */
export class FileLine {
  readonly #number: number;
  readonly #object: JsonObject;

  constructor(text: string, number: number) {
    this.#number = number;
    if (text.length > LONGEST_LINE) throw badFile(number, 'it is too long');
    try {
      const value: JsonValue = JSON.parse(text);
      if (!isObject(value)) throw new Error('it is not an object');
      this.#object = value;
    } catch (error) {
      throw badFile(number, `it is not a JSON object (${describeError(error)})`, error);
    }
  }

  has(field: string): boolean {
    return Object.hasOwn(this.#object, field);
  }

  /** Refuses fields that this version would lose. */
  requireOnly(fields: readonly string[]): void {
    const unknown = Object.keys(this.#object).find((field) => !fields.includes(field));
    if (unknown !== undefined)
      throw badFile(this.#number, `its field ${JSON.stringify(unknown)} is not known`);
  }

  text(field: string): string {
    const value = this.#object[field];
    if (typeof value !== 'string' || !value.isWellFormed()) throw this.#wrong(field, 'a text');
    return value;
  }

  textOrNull(field: string): string | null {
    return this.#object[field] === null ? null : this.text(field);
  }

  /** A whole number in the range of dates. */
  integer(field: string): number {
    const value = this.#object[field];
    if (typeof value !== 'number' || !Number.isSafeInteger(value) || Math.abs(value) > 8.64e15) {
      throw this.#wrong(field, 'a whole number');
    }
    return value;
  }

  object(field: string): JsonObject {
    const value = this.#object[field];
    if (!isObject(value)) throw this.#wrong(field, 'an object');
    return value;
  }

  #wrong(field: string, wanted: string): BulkheadError {
    return badFile(this.#number, `its ${field} is not ${wanted}`);
  }
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
