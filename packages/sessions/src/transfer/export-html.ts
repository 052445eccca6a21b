import { createHash } from 'node:crypto';
import type { Entry, SessionStore } from '../session-store.ts';
import { noSession } from '../store-errors.ts';
import { escapeHtml } from './escape-html.ts';
import { messageHtml } from './html-message.ts';

const STYLE = `:root{color-scheme:light dark;--line:#ccc;--soft:#f3f3f3}
@media (prefers-color-scheme:dark){:root{--line:#444;--soft:#222}}
body{font:16px/1.5 system-ui,sans-serif;max-width:50rem;margin:2rem auto;padding:0 1rem}
article{border-top:1px solid var(--line);padding:.75rem 0}
article.user{background:var(--soft);padding:.75rem}
header p,h2,time{color:gray;font-size:.85rem;font-weight:normal;margin:0}
.text,pre{white-space:pre-wrap;overflow-wrap:anywhere;margin:.25rem 0}
img{max-width:100%}`;

/**
 * The conversation a session stands at as one page that stands for itself: no script, nothing loaded from anywhere,
 * everything that was said escaped. Thoughts, calls and results are folded.
 * @throws BulkheadError `not_found`, `store_corrupt`
 */
export function* exportHtml(store: SessionStore, sessionId: string): Generator<string> {
  const info = store.getSession(sessionId);
  if (info === undefined) throw noSession(sessionId);
  const title = escapeHtml(info.title === '' ? 'Untitled session' : info.title);
  const labels = new Map(store.labels(sessionId).map(({ entry, label }) => [entry, label]));
  yield `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy()}">
<meta name="viewport" content="width=device-width,initial-scale=1">
<title>${title}</title>
<style>${STYLE}</style>
</head>
<body>
<header><h1 dir="auto">${title}</h1>
<p>${timeOf(info.createdAt)} to ${timeOf(info.updatedAt)} in ${escapeHtml(info.workingFolder)}</p></header>
<main>
`;
  for (const entry of store.branch(sessionId, info.leaf)) yield articleOf(entry, labels.get(entry.id));
  yield '</main>\n</body>\n</html>\n';
}

/** Nothing may be loaded or run; only the style of this very page applies. */
function policy(): string {
  const hash = createHash('sha256').update(STYLE).digest('base64');
  return `default-src 'none'; img-src data:; style-src 'sha256-${hash}'; form-action 'none'; base-uri 'none'`;
}

function articleOf(entry: Entry, label: string | undefined): string {
  const inside = entry.message === undefined ? markHtml(entry) : messageHtml(entry.message);
  if (inside === '') return '';
  const role = entry.message?.role.case ?? 'mark';
  const badge = label === undefined ? '' : ` · ${escapeHtml(label)}`;
  return `<article class="${role}"><h2>${NAMES[role]}${badge} ${timeOf(entry.time)}</h2>${inside}</article>\n`;
}

const NAMES = { user: 'User', assistant: 'Assistant', tool: 'Tool', mark: 'Note' };

/** What marks tell a reader; those that are only for programs tell nothing. */
function markHtml({ type, body }: Entry): string {
  const told: Readonly<Record<string, readonly [string, unknown]>> = {
    compaction: ['Summary of what was said before', body['summary']],
    branch_summary: ['Summary of another branch', body['summary']],
    model_change: ['From here on answered by', body['model']],
  };
  const [what, value] = told[type] ?? ['', undefined];
  if (typeof value !== 'string') return '';
  return `<div class="text" dir="auto">${what}: ${escapeHtml(value)}</div>`;
}

function timeOf(time: number): string {
  const date = new Date(time);
  if (Number.isNaN(date.getTime())) return '';
  const iso = date.toISOString();
  return `<time datetime="${iso}">${iso.slice(0, 16).replace('T', ' ')} UTC</time>`;
}
