/** Tells how likely it is that a text carries an instruction aimed at the agent that reads it. */
export interface TextClassifier {
  /** For status and verdicts: which one it is. */
  readonly name: string;
  /** Above this, a call is asked about. It only raises an allow to a question: it lowers nothing, and blocks nothing. */
  readonly threshold: number;
  /**
   * @param text of any length; the highest of its parts counts
   * @returns 0 to 1
   */
  probability(text: string): Promise<number>;
}
