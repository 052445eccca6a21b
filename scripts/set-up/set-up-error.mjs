/** Set-up can't go on; the message says what is wrong and how to mend it. */
export class SetUpError extends Error {
  /** @override */
  name = 'SetUpError';
}
