import { create } from '@bufbuild/protobuf';
import { existingFolder } from '@bulkhead/home/folder/existing-folder';
import { messageBytes } from '@bulkhead/log/session/message-view';
import { BulkheadError } from '@bulkhead/protocol';
import {
  BranchEntrySchema,
  type ClientService,
  ExportFormat,
  type ImportSessionRequest,
  type ReadUsageRequest,
  SearchHitSchema,
  UsageRowSchema,
} from '@bulkhead/protocol/client';
import { TreeShape } from '@bulkhead/runtime/session/tree-shape';
import { type Entry, exportHtml, exportJsonl, importedEntries, importJsonl } from '@bulkhead/sessions';
import type { ServiceImpl } from '@connectrpc/connect';
import type { ClientServiceParts } from './client-service-parts.ts';
import { openLines, textLines } from './open-lines.ts';
import { saidByMark, treePage } from './tree-page.ts';

/** Most hits of one search. */
const MAX_HITS = 500;
/** Text and images in one message of a branch, in bytes; a larger entry is sent alone. */
const PAGE_BYTES = 1024 * 1024;
/** Text in one message of an export, in characters. */
const CHUNK = 128 * 1024;

/** Reported rules of an imported file, and characters of each. */
const MAX_RULES_TOLD = 20;
const MAX_RULE_TOLD = 500;

/** Calls on whole sessions: fork, move, name, search, export, import, delete, account. */
export function sessionCalls(parts: ClientServiceParts) {
  const { sessions, tree, log } = parts;
  const { store } = log;
  return {
    forkSession: ({ sessionId, entryId }) => ({ sessionId: tree.fork(sessionId, entryId) }),
    moveLeaf: ({ sessionId, entryId, summary, toEnd }) => ({
      entryId: tree.moveLeaf(sessionId, entryId, summary, toEnd) ?? '',
    }),
    labelEntry: ({ sessionId, entryId, label }) => {
      tree.label(sessionId, entryId, label);
      return {};
    },
    setTitle: ({ sessionId, title }) => {
      tree.setTitle(sessionId, title);
      return {};
    },
    async *readBranch({ sessionId, entryId, imported, afterEntryId }) {
      const { leaf } = sessions.session(sessionId);
      const labels = new Map(store.labels(sessionId).map(({ entry, label }) => [entry, label]));
      const shape = new TreeShape(store.tree(sessionId));
      const entries = imported
        ? importedEntries(store, sessionId)
        : store.branch(sessionId, entryId === '' ? leaf : entryId);
      const known = entries.findIndex(({ id }) => id === afterEntryId);
      for (const page of pagesOf(entries.slice(known + 1))) {
        yield {
          entries: page.map((entry) =>
            entryView(entry, labels.get(entry.id) ?? '', shape.siblings(entry.id)),
          ),
        };
      }
    },
    readTree: ({ sessionId, before, limit }) =>
      treePage(store, sessions.session(sessionId), { before, limit }),
    searchSessions: ({ query, limit }) => ({
      hits: store
        .search(query, Math.min(limit || MAX_HITS, MAX_HITS))
        .map(({ session, title, entry, time, role, snippet }) =>
          create(SearchHitSchema, {
            sessionId: session,
            title,
            entryId: entry,
            time: new Date(time).toISOString(),
            role,
            snippet,
          }),
        ),
    }),
    async *exportSession({ sessionId, format }) {
      sessions.session(sessionId);
      const lines =
        format === ExportFormat.HTML
          ? exportHtml(store, sessionId, parts.clock.now())
          : exportJsonl(store, sessionId);
      let chunk = '';
      for (const line of lines) {
        chunk += line;
        if (chunk.length < CHUNK) continue;
        yield { chunk };
        chunk = '';
      }
      if (chunk !== '') yield { chunk };
    },
    importSession: (request) => importFile(request, parts),
    deleteSession: async ({ sessionId, withForks }) => ({
      deleted: [...(await tree.delete(sessionId, withForks))],
    }),
    acceptLoss: async ({ sessionId }) => ({ lost: await parts.losses.accept(sessionId) }),
    readUsage: (request) => ({
      rows: store.modelCalls(usageQuery(request)).map(({ session, ...row }) =>
        create(UsageRowSchema, {
          ...row,
          sessionId: session,
          inputTokens: BigInt(row.inputTokens),
          outputTokens: BigInt(row.outputTokens),
          cachedInputTokens: BigInt(row.cachedInputTokens),
          reasoningTokens: BigInt(row.reasoningTokens),
        }),
      ),
    }),
  } satisfies Partial<ServiceImpl<typeof ClientService>>;
}

function* pagesOf(entries: readonly Entry[]): Generator<readonly Entry[]> {
  let page: Entry[] = [];
  let bytes = 0;
  for (const entry of entries) {
    page.push(entry);
    bytes += entry.message === undefined ? 0 : messageBytes(entry.message);
    if (bytes < PAGE_BYTES) continue;
    yield page;
    page = [];
    bytes = 0;
  }
  if (page.length > 0) yield page;
}

function entryView(entry: Entry, label: string, siblings: readonly string[]) {
  const { id, session, type, time, message } = entry;
  return create(BranchEntrySchema, {
    entryId: id,
    sessionId: session,
    type,
    time: new Date(time).toISOString(),
    label,
    ...(message === undefined ? {} : { message }),
    text: saidByMark(entry),
    siblings: [...siblings],
  });
}

async function importFile(
  { path, workingFolder, ownWords, content }: ImportSessionRequest,
  parts: ClientServiceParts,
) {
  const { log, ids, clock, sessions } = parts;
  const folder = existingFolder(workingFolder);
  sessions.checkFolder(folder);
  const time = clock.now();
  const first = sessions.firstRecords(folder, time);
  await using lines = content === '' ? await openLines(path) : textLines(content);
  const options = { id: ids(), ids, workingFolder: folder, time, first, own: ownWords };
  const { id: sessionId, rulesLeftOut } = await importJsonl(log.store, lines, options);
  const told = rulesLeftOut.slice(0, MAX_RULES_TOLD).map((rule) => rule.slice(0, MAX_RULE_TOLD));
  return { sessionId, rulesLeftOut: told };
}

function usageQuery({ from, to, sessionId }: ReadUsageRequest) {
  return {
    ...(from === '' ? {} : { from: timeOf(from) }),
    ...(to === '' ? {} : { to: timeOf(to) }),
    ...(sessionId === '' ? {} : { session: sessionId }),
  };
}

function timeOf(text: string): number {
  const time = Date.parse(text);
  if (Number.isFinite(time)) return time;
  throw new BulkheadError('usage', `"${text}" is no time`, { fix: 'Write it as in 2026-01-31T12:00:00Z.' });
}
