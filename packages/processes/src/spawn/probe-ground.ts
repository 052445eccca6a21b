import { randomBytes } from 'node:crypto';
import { createSocket, type Socket as UdpSocket } from 'node:dgram';
import { once } from 'node:events';
import { lstatSync, readdirSync, readFileSync } from 'node:fs';
import { chmod, copyFile, link, mkdir, rm, writeFile } from 'node:fs/promises';
import { createServer, type ListenOptions, type Server, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { BulkheadError } from '@bulkhead/protocol';
import { abstractSocketOf, canaryOf, type ProbeAims, programOf, socketOf } from '@bulkhead/wire/self-probe';

/** TCP, UDP, a socket with a file, a socket without. */
const ARRIVALS_EACH = 4;
/** Longer than a busy machine needs: absence after it refuses the start. */
const ARRIVAL_MS = 10_000;
const POLL_MS = 5;
const MAX_CONNECTIONS = 64;
const CANARY = 'nobody in a box reads this\n';

/** Its folders, with the same objects: for processes in a box, and for controls. */
const BOXED = 'boxed';
const CONTROL = 'control';

type Aims = Omit<ProbeAims, 'thorough' | 'folderGranted'>;

/**
 * The targets of boxed processes' attacks, with observers outside that detect a breach. A process's
 * report about its attacks is only a claim; arrivals here are evidence. Controls attack equal
 * objects at the same time, under their own names and nonce.
 */
export class ProbeGround implements AsyncDisposable {
  readonly #folder: string;
  readonly #servers: readonly Server[];
  readonly #udp: UdpSocket;
  readonly #aims: Aims;
  readonly #controlAims: Aims;
  readonly #canaryChanged: number;
  #arrived = 0;
  #controlArrived = 0;

  private constructor(folder: string, servers: readonly Server[], udp: UdpSocket, tcpPort: number) {
    this.#folder = folder;
    this.#servers = servers;
    this.#udp = udp;
    const shared = { pid: process.pid, tcpPort, udpPort: udp.address().port };
    const aims = (name: string): Aims => ({
      ...shared,
      nonce: randomBytes(16).toString('hex'),
      folder: `${folder}/${name}`,
    });
    this.#aims = aims(BOXED);
    this.#controlAims = aims(CONTROL);
    this.#canaryChanged = lstatSync(canaryOf(this.#aims)).ctimeMs;
    for (const server of servers) server.on('connection', (socket) => void this.#listen(socket));
    udp.on('message', (message) => this.#note(message));
  }

  /**
   * @param folder created anew; old content is removed
   * @param program any program that can be started
   */
  static async open(folder: string, program: string): Promise<ProbeGround> {
    await rm(folder, { recursive: true, force: true });
    const place = { folder: `${folder}/${BOXED}` };
    const again = { folder: `${folder}/${CONTROL}` };
    for (const made of [folder, place.folder, again.folder]) await mkdir(made, { mode: 0o700 });
    await writeFile(canaryOf(place), CANARY, { mode: 0o600 });
    await copyFile(program, programOf(place));
    await chmod(programOf(place), 0o700);
    await using opened = new AsyncDisposableStack();
    const open = async (where: ListenOptions): Promise<Server> => {
      const server = createServer().listen(where);
      server.maxConnections = MAX_CONNECTIONS;
      opened.defer(() => void server.close());
      await once(server, 'listening');
      return server.unref();
    };
    const tcp = await open({ port: 0, host: '127.0.0.1' });
    const address = tcp.address();
    const tcpPort = typeof address === 'object' && address !== null ? address.port : 0;
    const named = await open({ path: socketOf(place) });
    for (const of of [canaryOf, programOf, socketOf]) await link(of(place), of(again));
    const unnamed = await open({ path: abstractSocketOf({ pid: process.pid, tcpPort }) });
    const udp = createSocket('udp4');
    opened.defer(() => void udp.close());
    udp.bind(0, '127.0.0.1').unref();
    await once(udp, 'listening');
    const ground = new ProbeGround(folder, [tcp, named, unnamed], udp, tcpPort);
    opened.move();
    return ground;
  }

  /** @param granted folders that the process may use */
  aims(thorough: boolean, granted: readonly string[] = []): ProbeAims {
    return { ...this.#aims, folderGranted: this.isIn(granted), thorough };
  }

  /** Aims of a process without a box. */
  controlAims(): ProbeAims {
    return { ...this.#controlAims, folderGranted: false, thorough: true };
  }

  /**
   * Whether the targets lie in one of these folders: true if the user works in the folder that
   * holds our home.
   */
  isIn(folders: readonly string[]): boolean {
    return folders.some((folder) =>
      `${this.#folder}/`.startsWith(folder.endsWith('/') ? folder : `${folder}/`),
    );
  }

  /**
   * Waits for the arrivals from processes without a box.
   * @param senders how many processes made every attempt
   * @throws BulkheadError `sandbox_unavailable` if fewer arrive: then the absence of arrivals
   *   from a box proves nothing
   */
  async control(senders: number): Promise<void> {
    const expected = senders * ARRIVALS_EACH;
    for (let waited = 0; this.#controlArrived < expected && waited < ARRIVAL_MS; waited += POLL_MS)
      await sleep(POLL_MS);
    if (this.#controlArrived === expected) return;
    throw new BulkheadError(
      'sandbox_unavailable',
      `the probes prove nothing here: ${this.#controlArrived} of ${expected} connections and datagrams arrived with no box around`,
      { fix: 'Look for what keeps Bulkhead from its own loopback or Unix sockets.' },
    );
  }

  /**
   * Checks that nothing from a box arrived here.
   * @throws BulkheadError `sandbox_unavailable` naming the arrivals
   */
  check(name: string): void {
    const traces = [
      ...(this.#arrived === 0 ? [] : [`${this.#arrived} connections or datagrams arrived`]),
      ...this.#changes(),
    ];
    if (traces.length === 0) return;
    throw new BulkheadError('sandbox_unavailable', `the box of the ${name} leaks: ${traces.join(', ')}`, {
      fix: 'Run `bulkhead doctor`, which tries each wall alone, and update the kernel.',
      details: { traces },
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const server of this.#servers) server.close();
    this.#udp.close();
    await rm(this.#folder, { recursive: true, force: true });
  }

  /** Other programs, such as a scanner, may find these sockets: only the nonce identifies ours. */
  #note(said: Uint8Array): void {
    const text = Buffer.from(said).toString('latin1');
    if (text === this.#aims.nonce) this.#arrived += 1;
    if (text === this.#controlAims.nonce) this.#controlArrived += 1;
  }

  async #listen(socket: Socket): Promise<void> {
    const pieces: Buffer[] = [];
    let size = 0;
    socket.setTimeout(ARRIVAL_MS, () => socket.destroy());
    try {
      for await (const piece of socket) {
        pieces.push(Buffer.from(piece));
        size += pieces.at(-1)?.length ?? 0;
        if (size >= this.#aims.nonce.length) break;
      }
    } catch {
      // A broken connection counts as silence.
    } finally {
      socket.destroy();
    }
    this.#note(Buffer.concat(pieces));
  }

  #changes(): readonly string[] {
    const canary = canaryOf(this.#aims);
    try {
      const same =
        readFileSync(canary, 'utf8') === CANARY && lstatSync(canary).ctimeMs === this.#canaryChanged;
      const names = readdirSync(this.#aims.folder).sort().join(' ');
      return [
        ...(same ? [] : ['the canary was changed']),
        ...(names === 'canary program socket' ? [] : [`the folder of the canary holds ${names}`]),
      ];
    } catch (error) {
      return [`the canary is gone: ${String(error)}`];
    }
  }
}
