/*
 * Stands for `@bulkhead/cli` in the check of these tests: the compiler would read all of the command with a page's
 * globals. The check of the rest of `e2e` reads its own types.
 */

export declare function dispatch(args: readonly string[], environment: object): Promise<number>;
