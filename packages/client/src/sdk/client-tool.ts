/** A tool that the program brings along for one message, and carries out itself. */
export interface ClientTool {
  /** Letters, digits, `_` and `-`. The model, events and policies know it as `client_NAME`. */
  readonly name: string;
  /** What it does, for the model. */
  readonly description: string;
  /** JSON Schema of the arguments, of type object: calls that don't fit never arrive. Absent, for any. */
  readonly inputSchema?: Readonly<Record<string, unknown>>;
  /**
   * Does what a call asks for. Called once for each call, after it was judged and allowed; several at once for calls of one batch.
   *
   * @param args as the schema has them. A model wrote them.
   * @param signal fires when nobody waits for the result any more: its time is up, the run was cancelled, the `Bulkhead` closed
   * @returns what the model reads, as data and not as instructions; of more than 50,000 characters the beginning
   * @throws any error: the model is told its message, as an error
   */
  run(args: unknown, signal: AbortSignal): string | Promise<string>;
}
