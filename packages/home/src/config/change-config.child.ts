import { homeLayout } from '@bulkhead/protocol';
import { changeConfig } from './change-config.ts';

/** Sets one key to 10, 11 … 19, as fast as it can. Arguments: home, key, first value. */
const [root = '', key = '', first = '0'] = process.argv.slice(2);
for (let step = 0; step < 10; step += 1) {
  changeConfig(homeLayout(root), [{ key, value: String(Number(first) + step) }]);
}
