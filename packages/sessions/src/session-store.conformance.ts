import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { describeDeletion } from './conformance/deletion.conformance.ts';
import { describeForks } from './conformance/forks.conformance.ts';
import { describeInputs } from './conformance/inputs.conformance.ts';
import { describeLog } from './conformance/log.conformance.ts';
import { describeMarks } from './conformance/marks.conformance.ts';
import { describeModelCalls } from './conformance/model-calls.conformance.ts';
import { describeRecentBranch } from './conformance/recent-branch.conformance.ts';
import { describeSearch } from './conformance/search.conformance.ts';
import { describeSessions } from './conformance/sessions.conformance.ts';
import { describeTree } from './conformance/tree.conformance.ts';
import type { SessionStore } from './session-store.ts';
import { codeOf, plain } from './testing.ts';

/** The suite for every session store. `open` gives an empty store. */
export function describeSessionStore(name: string, open: () => SessionStore, offTheRecord = false): void {
  describe(`${name} as a session store`, () => {
    let store: SessionStore;
    beforeEach(() => {
      store = open();
      store.createSession({ id: 's', workingFolder: '/w', time: 500 });
    });
    afterEach(() => store.close());

    const suite = {
      offTheRecord,
      get store() {
        return store;
      },
    };
    describeSessions(suite);
    describeLog(suite);
    describeTree(suite);
    describeMarks(suite);
    describeForks(suite);
    describeRecentBranch(suite);
    describeInputs(suite);
    describeSearch(suite);
    describeModelCalls(suite);
    describeDeletion(suite);

    it('refuses everything once closed, and closes twice', () => {
      store.close();
      store.close();
      const actions: readonly (() => unknown)[] = [
        () => store.createSession({ id: 'x', workingFolder: '/w', time: 1 }),
        () => store.append('s', [plain('a', true)]),
        () => store.getSession('s'),
        () => store.listSessions(1),
        () => store.openInputs(),
        () => store.recentBranch('s', null, 1),
        () => store.search('word', 1),
        () => store.modelCalls({}),
        () => store.deleteSession('s', 1),
        () => store.forksOf('s'),
      ];
      expect(actions.map(codeOf)).toEqual(actions.map(() => 'store_failed'));
    });
  });
}
