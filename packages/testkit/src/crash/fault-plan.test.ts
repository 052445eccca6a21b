import { describe, expect, it } from 'vitest';
import { parseFaultPlan } from './fault-plan.ts';

describe('parseFaultPlan', () => {
  it('reads point, action and hit', () => {
    expect(parseFaultPlan('intent.after:kill')).toEqual({ point: 'intent.after', action: 'kill', hit: 1 });
    expect(parseFaultPlan('store.before_commit:eio:12')).toEqual({
      point: 'store.before_commit',
      action: 'eio',
      hit: 12,
    });
  });

  it.each(['', 'x', 'x:explode', ':kill', 'x:kill:0', 'x:kill:-1', 'x:kill:1:2'])('refuses %j', (text) => {
    expect(() => parseFaultPlan(text)).toThrow('FAULT is');
  });
});
