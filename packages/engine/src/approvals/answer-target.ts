/** Which question is answered: all three must be those that were asked. */
export interface AnswerTarget {
  readonly approval: string;
  readonly session: string;
  readonly hash: string;
}
