/** A tool that the program provides for one message, and executes itself. */
export interface ClientTool {
  /** Letters, digits, `_` and `-`. The model, events and policies know it as `client_NAME`. */
  readonly name: string;
  /** Its description, for the model. */
  readonly description: string;
  /**
   * JSON Schema of the arguments, of type object: calls that don't match are refused earlier.
   * Absent, any object.
   */
  readonly inputSchema?: Readonly<Record<string, unknown>>;
  /**
   * Executes a call. Called once per call, after it was judged and allowed; concurrently for calls
   * of one batch.
   *
   * @param args that match the schema. A model wrote them.
   * @param signal fires when the result is no longer needed: timeout, cancelled run, or closed
   *   `Bulkhead`
   * @returns the result for the model, as data and not as instructions; only the first 50,000
   * characters are used
   * @throws any error: the model receives its message as an error
   */
  run(args: unknown, signal: AbortSignal): string | Promise<string>;
}
