/** Indexes the texts of a folder, and kills itself when it looks at a given one. For tests. */
import { readdirSync } from 'node:fs';
import { openMemoryIndex } from './memory-index.ts';

const [path = '', folder = '', count = ''] = process.argv.slice(2);
const index = openMemoryIndex({ path, onNotice: () => undefined });
const files = readdirSync(folder).map((name) => ({ source: 'memory' as const, path: name, folder }));
const deadly = {
  source: 'session' as const,
  path: 'sessions/deadly',
  version: '1',
  read: async () => {
    process.kill(process.pid, 'SIGKILL');
    return '';
  },
};
await index.sync([...files.slice(0, Number(count)), deadly, ...files.slice(Number(count))]);
