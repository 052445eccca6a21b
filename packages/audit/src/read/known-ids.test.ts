import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openAuditLog } from '../audit-log.ts';
import { proposed, temporaryFolder, withClock } from '../testing.ts';
import { actionIds, sessionIds } from './known-ids.ts';

describe('ids that a log tells of', () => {
  it('are those of its entries, and of nothing that a text in them says', async () => {
    using folder = temporaryFolder();
    const log = await openAuditLog(folder.path, withClock);
    const says = '"action":"fake","session":"fake"';
    await log.append([
      proposed('a1'),
      { ...proposed('a2'), session: 't', details: { says } },
      proposed('a1'),
    ]);
    await log.close();
    expect(await actionIds(folder.path)).toEqual(new Set(['a1', 'a2']));
    expect(await sessionIds(folder.path)).toEqual(new Set(['s', 't']));
  });

  it('are none where there is no log', async () => {
    using folder = temporaryFolder();
    expect(await actionIds(join(folder.path, 'none'))).toEqual(new Set());
  });
});
