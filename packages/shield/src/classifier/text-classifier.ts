/**
 * Estimates how likely it is that a text carries an instruction aimed at the agent that reads it.
 */
export interface TextClassifier {
  /** Its identity, for status and verdicts. */
  readonly name: string;
  /**
   * Above this, a call is asked about. It only raises an allow to a question; it never lowers or
   * blocks.
   */
  readonly threshold: number;
  /**
   * @param text of any length; the highest of its parts counts
   * @returns 0 to 1
   */
  probability(text: string): Promise<number>;
}
