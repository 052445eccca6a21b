/** The action of a fault, its place and its time. */
export interface FaultPlan {
  readonly point: string;
  readonly action: 'kill' | 'eio' | 'delay';
  /** Number of the hit that triggers it, from 1. */
  readonly hit: number;
}

/**
 * Reads `POINT:kill|eio|delay[:HIT]`.
 *
 * @throws Error for anything else: a test with an ignored fault would prove nothing
 */
export function parseFaultPlan(text: string): FaultPlan {
  const [point = '', action, hit = '1', ...rest] = text.split(':');
  const known = action === 'kill' || action === 'eio' || action === 'delay';
  if (point === '' || !known || !/^[1-9]\d*$/.test(hit) || rest.length > 0) {
    throw new Error(`FAULT is POINT:kill|eio|delay[:HIT], not "${text}"`);
  }
  return { point, action, hit: Number(hit) };
}
