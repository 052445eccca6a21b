/** Where a crash can part what was done from what comes next. */
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
