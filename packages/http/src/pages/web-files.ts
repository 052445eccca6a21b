import { readdir, readFile } from 'node:fs/promises';
import { extname, join, relative, sep } from 'node:path';
import { pageHeaders } from '../answer.ts';

/**
 * Only our own scripts and styles, nothing foreign or inline: this limits the damage of a flaw in
 * rendering.
 */
const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "manifest-src 'self'",
  "worker-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.json': 'application/json',
  '.webmanifest': 'application/manifest+json',
  '.txt': 'text/plain; charset=utf-8',
  '.map': 'application/json',
};

const NOT_BUILT = `<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Bulkhead</title>
<h1>Bulkhead is running</h1>
<p>The web page is not built here. In the checkout, run <code>npm run build</code> and load this page again.</p>
<p>The API answers at <code>/api/v1</code>: see <code>docs/http.md</code>.</p></html>
`;

export interface Page {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer;
}

/**
 * The files of the web UI. Only the exact names found in its folder when the door opened are
 * served: no path of a request reaches the disk. They reveal nothing about the owner, so they need
 * no proof.
 */
export class WebFiles {
  readonly #folder: string;
  readonly #names: ReadonlySet<string>;

  private constructor(folder: string, names: ReadonlySet<string>) {
    this.#folder = folder;
    this.#names = names;
  }

  /** @param folder of the built UI; a missing one has no files */
  static async open(folder: string): Promise<WebFiles> {
    const found = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
    const names = found
      .filter((entry) => entry.isFile())
      .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/'));
    return new WebFiles(folder, new Set(names));
  }

  /** @param path of the request, beginning with a slash */
  async page(path: string): Promise<Page> {
    const name = path.slice(1);
    if (this.#names.has(name)) return this.#file(name, 200);
    // A path without a dot is a page of the UI, which the UI's own router finds.
    const isPlace = !name.includes('.');
    if (isPlace && this.#names.has('index.html')) return this.#file('index.html', 200);
    if (isPlace && this.#names.size === 0) return page(503, '.html', NOT_BUILT, 'no-store');
    return page(404, '.txt', 'There is no such file.\n', 'no-store');
  }

  async #file(name: string, status: number): Promise<Page> {
    // Files named by their content never change; the page that links to them may change with every
    // upgrade.
    const caching = name.startsWith('assets/') ? 'public, max-age=31536000, immutable' : 'no-cache';
    return page(status, extname(name), await readFile(join(this.#folder, name)), caching);
  }
}

function page(status: number, extension: string, body: string | Buffer, caching: string): Page {
  const type = TYPES[extension] ?? 'application/octet-stream';
  const length = { 'content-length': String(Buffer.byteLength(body)) };
  return { status, headers: { ...pageHeaders(type, PAGE_POLICY, caching), ...length }, body };
}
