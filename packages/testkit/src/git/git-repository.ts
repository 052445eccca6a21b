import { execFileSync, spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** False on a machine without git: tests that need it are reported as skipped. */
export const HAS_GIT = spawnSync('git', ['--version']).status === 0;

/**
 * A real git repository, served on loopback. `/smart` is git's own server, `/dumb` files alone,
 * `/silent` never answers.
 */
export class GitRepository implements AsyncDisposable {
  /** Private to the test; `work` and `served.git` are in it. */
  readonly root = realpathSync(mkdtempSync(join(tmpdir(), 'bulkhead-git-test-')));
  readonly #work = join(this.root, 'work');
  readonly #server = createServer((request, response) => this.#serve(request, response));
  /** Requested paths. */
  readonly asked: string[] = [];

  constructor() {
    this.git('init', '--quiet', '--initial-branch=main', this.#work);
  }

  /** Runs git in the work folder. @returns its output */
  git(...args: readonly string[]): string {
    const who = [
      '-c',
      'user.name=Ada',
      '-c',
      'user.email=ada@example.org',
      '-c',
      'protocol.file.allow=always',
    ];
    const cwd = args[0] === 'init' ? this.root : this.#work;
    const env = { PATH: process.env['PATH'], HOME: this.root, GIT_CONFIG_NOSYSTEM: '1' };
    return execFileSync('git', [...who, ...args], { cwd, env, encoding: 'utf8', stdio: 'pipe' }).trim();
  }

  write(path: string, text: string | Buffer, mode = 0o644): this {
    const file = join(this.#work, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
    chmodSync(file, mode);
    return this;
  }

  link(path: string, target: string): this {
    symlinkSync(target, join(this.#work, path));
    return this;
  }

  /** @returns hash of a commit of everything in the work folder */
  commit(): string {
    this.git('add', '--all', '--force');
    this.git('commit', '--quiet', '--message', 'change');
    return this.git('rev-parse', 'HEAD');
  }

  /** @returns address of the server, without a path */
  async listen(): Promise<string> {
    this.publish();
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    const { port } = this.#server.address() as AddressInfo;
    return `http://127.0.0.1:${port}`;
  }

  /** Selects the served content. */
  publish(): void {
    const served = join(this.root, 'served.git');
    rmSync(served, { recursive: true, force: true });
    this.git('clone', '--quiet', '--bare', this.#work, served);
    this.git('--git-dir', served, 'update-server-info');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
    rmSync(this.root, { recursive: true, force: true });
  }

  #serve(request: IncomingMessage, response: ServerResponse): void {
    const url = new URL(request.url ?? '/', 'http://localhost');
    this.asked.push(url.pathname);
    const [, way, ...rest] = url.pathname.split('/');
    if (way === 'smart') this.#run(`/served.git/${rest.join('/')}`, url.search.slice(1), request, response);
    else if (way === 'dumb') this.#file(rest.join('/'), response);
    else if (way === 'private') response.writeHead(401, { 'WWW-Authenticate': 'Basic realm="x"' }).end();
    else if (way === 'moved')
      response.writeHead(302, { Location: `/smart/${rest.join('/')}${url.search}` }).end();
    else if (way !== 'silent') response.writeHead(404).end();
  }

  #file(path: string, response: ServerResponse): void {
    try {
      response.end(readFileSync(join(this.root, 'served.git', path)));
    } catch {
      response.writeHead(404).end();
    }
  }

  /** Git's own server through CGI: headers, an empty line, a body. */
  #run(path: string, query: string, request: IncomingMessage, response: ServerResponse): void {
    const child = spawn('git', ['http-backend'], {
      env: {
        PATH: process.env['PATH'],
        HOME: this.root,
        GIT_CONFIG_NOSYSTEM: '1',
        GIT_PROJECT_ROOT: this.root,
        GIT_HTTP_EXPORT_ALL: '1',
        PATH_INFO: path,
        QUERY_STRING: query,
        REQUEST_METHOD: request.method,
        CONTENT_TYPE: request.headers['content-type'] ?? '',
        HTTP_CONTENT_ENCODING: request.headers['content-encoding'] ?? '',
        GIT_PROTOCOL: String(request.headers['git-protocol'] ?? ''),
      },
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    request.pipe(child.stdin).on('error', () => {});
    const parts: Buffer[] = [];
    child.stdout.on('data', (part: Buffer) => parts.push(part));
    child.on('close', () => {
      const whole = Buffer.concat(parts);
      const end = whole.indexOf('\r\n\r\n');
      for (const line of whole.subarray(0, end).toString('latin1').split('\r\n')) {
        const [name = '', value = ''] = line.split(': ');
        if (name === 'Status') response.statusCode = Number.parseInt(value, 10);
        else response.setHeader(name, value);
      }
      response.end(whole.subarray(end + 4));
    });
  }
}
