/** Points at which a crash can separate a completed step from the next one. */
export type ChronicleStep =
  | 'taking'
  | 'contents-kept'
  | 'taken'
  | 'journalled'
  | 'parked'
  | 'placed'
  | 'restored'
  | 'applied'
  | 'seen';
