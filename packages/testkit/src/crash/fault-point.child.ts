import { writeSync } from 'node:fs';
import { faultPoint } from './fault-point.ts';

function pass(point: 'intent.before' | 'intent.after', name: string): void {
  try {
    faultPoint(point);
    writeSync(1, `${name}\n`);
  } catch (error) {
    const { code, errcode } = Object.assign({ code: '', errcode: 0 }, error);
    writeSync(1, `${code} ${errcode} at ${point}\n`);
  }
}

for (const time of [1, 2, 3]) {
  pass('intent.before', `before ${time}`);
  pass('intent.after', `after ${time}`);
}
