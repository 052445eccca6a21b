/** A tool of the program that sent a message, as its inbox record keeps it. Whoever reads one knows that it was checked. */
export interface ClientTool {
  /** As its program calls it. */
  readonly name: string;
  readonly description: string;
  /** JSON text; empty for any arguments. */
  readonly inputSchemaJson: string;
}
