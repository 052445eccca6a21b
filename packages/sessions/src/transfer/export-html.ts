import { createHash } from 'node:crypto';
import { isMessage } from '@bulkhead/protocol/records';
import type { Entry, SessionStore } from '../session-store.ts';
import { noSession } from '../store-errors.ts';
import { escapeHtml } from './escape-html.ts';
import { factsHtml } from './html-facts.ts';
import { messageHtml } from './html-message.ts';
import { timeHtml } from './html-parts.ts';
import { treeEntries } from './tree-entries.ts';

/**
 * A session's current conversation as one self-contained page: no script, nothing loaded, all
 * content escaped. Thoughts, calls and results are folded, errors open. Each entry can be linked to
 * by `#entry-ID`.
 * @param exportedAt milliseconds since the epoch
 * @throws BulkheadError `not_found`, `store_corrupt`
 */
export function* exportHtml(store: SessionStore, sessionId: string, exportedAt: number): Generator<string> {
  const info = store.getSession(sessionId);
  if (info === undefined) throw noSession(sessionId);
  const title = escapeHtml(info.title === '' ? 'Untitled session' : info.title);
  const labels = new Map(store.labels(sessionId).map(({ entry, label }) => [entry, label]));
  const entries = store.branch(sessionId, info.leaf);
  const calls = store.modelCalls({ session: sessionId });
  yield `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy()}">
<meta name="viewport" content="width=device-width,initial-scale=1">
<title>${title}</title>
<style>${PAGE_STYLE}</style>
</head>
<body>
<header><h1 dir="auto">${title}</h1>
${factsHtml({ info, entries, calls, exportedAt })}</header>
<main>
`;
  for (const entry of entries) yield articleOf(entry, labels.get(entry.id));
  yield `</main>\n${leftOutHtml(leftOut(store, sessionId, entries))}</body>\n</html>\n`;
}

/** Forbids loading and running anything; only the style of this very page applies. */
function policy(): string {
  const hash = createHash('sha256').update(PAGE_STYLE).digest('base64');
  return `default-src 'none'; img-src data:; style-src 'sha256-${hash}'; form-action 'none'; base-uri 'none'`;
}

function articleOf(entry: Entry, label: string | undefined): string {
  const inside = entry.message === undefined ? markHtml(entry) : messageHtml(entry.message, displayOf(entry));
  if (inside === '') return '';
  const role = entry.message?.role.case ?? 'mark';
  const badge = label === undefined ? '' : ` · ${escapeHtml(label)}`;
  const anchor = `entry-${encodeURIComponent(entry.id.toWellFormed()).replaceAll("'", '%27')}`;
  const time = `<a href="#${anchor}">${timeHtml(entry.time) || '#'}</a>`;
  return `<article class="${role}" id="${anchor}"><h2>${NAMES[role]}${badge} ${time}</h2>${inside}</article>\n`;
}

const NAMES = { user: 'User', assistant: 'Assistant', tool: 'Tool', mark: 'Note' };

/** Readable content of marks; empty for marks that are only for programs. */
function markHtml(mark: Entry): string {
  switch (mark.type) {
    case 'compaction':
      return noteHtml('Summary of what was said before', mark.body.summary);
    case 'branch_summary':
      return noteHtml('Summary of another branch', mark.body.summary);
    case 'model_change':
      return noteHtml('From here on answered by', mark.body.model);
    default:
      return '';
  }
}

function noteHtml(what: string, text: string): string {
  return `<div class="text" dir="auto">${what}: ${escapeHtml(text)}</div>`;
}

function displayOf(entry: Entry): string | undefined {
  return entry.type === 'tool_output' ? entry.body.display : undefined;
}

/** Messages of the tree outside the path to the leaf. */
function leftOut(store: SessionStore, sessionId: string, shown: readonly Entry[]): number {
  const ids = new Set(shown.map(({ id }) => id));
  let count = 0;
  for (const entry of treeEntries(store, sessionId)) {
    if (isMessage(entry) && !ids.has(entry.id)) count += 1;
  }
  return count;
}

function leftOutHtml(count: number): string {
  if (count === 0) return '';
  const what = count === 1 ? '1 message on another branch is' : `${count} messages on other branches are`;
  return `<p class="note">${what} not shown.</p>\n`;
}

/**
 * The one style of an exported page. Every colour is a variable: each of the writing ones has a contrast of at least
 * 4.5:1 (WCAG 2.2, 1.4.3) against both grounds, `--back` and `--soft`, in both schemes.
 */
export const PAGE_STYLE = `:root{color-scheme:light dark;--back:#ffffff;--soft:#f3f3f3;--line:#cccccc;
--text:#1a1a1a;--dim:#595959;--error:#b00020;--added:#116329;--removed:#a40e26}
@media (prefers-color-scheme:dark){:root{--back:#141414;--soft:#222222;--line:#444444;
--text:#e6e6e6;--dim:#b4b4b4;--error:#ff8a80;--added:#7ee787;--removed:#ffa198}}
body{font:16px/1.5 system-ui,sans-serif;max-width:50rem;margin:2rem auto;padding:0 1rem;color:var(--text);background:var(--back)}
article{border-top:1px solid var(--line);padding:.75rem 0}
article.user{background:var(--soft);padding:.75rem}
article:target{outline:2px solid var(--dim)}
dl,h2,a,.note,.label{color:var(--dim);font-size:.85rem;font-weight:normal;margin:0}
dl{display:grid;grid-template-columns:max-content 1fr;gap:0 1rem}
dd{margin:0;overflow-wrap:anywhere}
.text,pre{white-space:pre-wrap;overflow-wrap:anywhere;margin:.25rem 0}
.error>summary{color:var(--error);font-weight:bold}
.error>pre{border-left:3px solid var(--error);padding-left:.5rem}
ins,del{text-decoration:none}
ins{color:var(--added)}
del{color:var(--removed)}
img{max-width:100%}`;
