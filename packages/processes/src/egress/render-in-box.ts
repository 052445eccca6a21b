import { dirname } from 'node:path';
import type { Duplex } from 'node:stream';
import { BulkheadError, type Timers } from '@bulkhead/protocol';
import { boxedNodeArguments, type Sandbox } from '@bulkhead/sandbox';
import { parseRenderAnswer, type RenderInBox, renderRequest } from '@bulkhead/tools';
import { channelOf, followStderr } from '../spawn/spawn-agent.ts';

export interface RendererParts {
  readonly sandbox: Pick<Sandbox, 'launch'>;
  readonly nodePath: string;
  /** The renderer's bundle: the one file of ours it may read. */
  readonly script: string;
  readonly timers: Timers;
  log(pid: number, line: string): void;
  /** Limits how many run at once. */
  gate<Value>(start: () => Promise<Value>): Promise<Value>;
}

const RENDER_MS = 15_000;
/** Most characters of an answer: text, links, and what JSON adds to them. */
const MAX_ANSWER = 4 * 1024 * 1024;
/** Megabytes of JavaScript's heap: enough for the largest page. */
const HEAP_MEGABYTES = 192;

/**
 * Renders a document as text in its own process, in a box that grants nothing: no network, no file,
 * no environment [FR12]. Each document gets a fresh one, so that none can leave anything for the
 * next.
 *
 * @returns a function that rejects with `tool_failed` for a document beyond its limits, or the
 *   signal's reason
 */
export function renderInBox(parts: RendererParts): RenderInBox {
  return (bytes, document, signal) =>
    parts.gate(async () => {
      signal.throwIfAborted();
      const child = parts.sandbox.launch(
        { kind: 'agent', read: [parts.script] },
        {
          file: parts.nodePath,
          args: [...boxedNodeArguments, `--max-old-space-size=${HEAP_MEGABYTES}`, parts.script],
          cwd: dirname(parts.script),
          env: {},
          stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
        },
      );
      const stderr = followStderr(child, parts.log);
      const kill = (): void => {
        child.kill('SIGKILL');
      };
      signal.addEventListener('abort', kill, { once: true });
      using _late = parts.timers.after(RENDER_MS, kill);
      try {
        const channel = channelOf(child);
        channel.write(renderRequest(document));
        channel.end(bytes);
        return parseRenderAnswer(await readAll(channel));
      } catch (cause) {
        kill();
        signal.throwIfAborted();
        throw new BulkheadError('tool_failed', `the page was too much to make text of (${await stderr()})`, {
          cause,
        });
      } finally {
        kill();
        signal.removeEventListener('abort', kill);
      }
    });
}

async function readAll(channel: Duplex): Promise<string> {
  const parts: string[] = [];
  let length = 0;
  for await (const part of channel.setEncoding('utf8')) {
    const text = String(part);
    length += text.length;
    if (length > MAX_ANSWER) throw new BulkheadError('protocol_violation', 'the renderer said too much');
    parts.push(text);
  }
  return parts.join('');
}
