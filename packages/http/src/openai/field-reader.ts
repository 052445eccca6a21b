import { invalidRequest } from './api-error.ts';

/**
 * Reads an object of a request, member by member. Errors name the place, as `messages[2].role`.
 * Null means absent.
 */
export class Fields {
  readonly #object: ReadonlyMap<string, unknown>;
  readonly path: string;

  private constructor(object: ReadonlyMap<string, unknown>, path: string) {
    this.#object = object;
    this.path = path;
  }

  /** @throws BulkheadError `usage` (400) if it is not an object */
  static of(value: unknown, path = ''): Fields {
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      return new Fields(new Map(Object.entries(value)), path);
    }
    throw invalidRequest(`${path === '' ? 'the body' : path} must be an object`, path);
  }

  get names(): readonly string[] {
    return [...this.#object.keys()];
  }

  value(name: string): unknown {
    return this.#object.get(name) ?? undefined;
  }

  /** Path of a member in the request. */
  at(name: string): string {
    return this.path === '' ? name : `${this.path}.${name}`;
  }

  text(name: string): string | undefined {
    const value = this.value(name);
    if (value === undefined) return undefined;
    if (typeof value === 'string' && value.isWellFormed()) return value;
    throw this.wrong(name, 'a text');
  }

  requiredText(name: string): string {
    return this.text(name) ?? this.#missing(name);
  }

  flag(name: string): boolean | undefined {
    const value = this.value(name);
    if (value === undefined || typeof value === 'boolean') return value;
    throw this.wrong(name, 'true or false');
  }

  list(name: string): readonly unknown[] | undefined {
    const value = this.value(name);
    if (value === undefined || Array.isArray(value)) return value;
    throw this.wrong(name, 'a list');
  }

  requiredList(name: string): readonly unknown[] {
    return this.list(name) ?? this.#missing(name);
  }

  object(name: string): Fields | undefined {
    const value = this.value(name);
    return value === undefined ? undefined : Fields.of(value, this.at(name));
  }

  wrong(name: string, wanted: string): Error {
    return invalidRequest(`${this.at(name)} must be ${wanted}`, this.at(name));
  }

  #missing(name: string): never {
    throw invalidRequest(`${this.at(name)} is missing`, this.at(name), 'missing_required_parameter');
  }
}
