import type { Config } from '@bulkhead/home/config/config-schema';
import type { Timers, ToolHost } from '@bulkhead/protocol';
import {
  createWebHost,
  dialAddress,
  EgressBroker,
  parseHostPatterns,
  parseOpenings,
  systemNetworks,
  systemResolver,
} from '@bulkhead/tools';
import { StartGate } from '../pools/start-gate.ts';
import { type RendererParts, renderInBox } from './render-in-box.ts';

/** Documents that are rendered as text at the same time: each takes a core and some memory. */
const RENDERERS_AT_ONCE = 2;

/** The network access of this engine, within the user's configuration. */
export interface Web {
  /** For commands too: a boxed command's proxy uses it. */
  readonly broker: EgressBroker;
  /** Runs `web_fetch` and `http_request`. */
  readonly host: ToolHost;
}

/** Makes the one egress broker of an engine and the host of the web tools. Opens no connection. */
export function openWeb(
  parts: Omit<RendererParts, 'gate'> & { readonly settings: Config['tools']['web'] },
): Web {
  const { settings, timers } = parts;
  const broker = openBroker(settings, timers);
  const gate = new StartGate(RENDERERS_AT_ONCE);
  const render = renderInBox({ ...parts, gate: (start) => gate.run(start) });
  return { broker, host: createWebHost({ broker, render }) };
}

/** @throws BulkheadError `config_invalid`, which a validated configuration never causes */
function openBroker(settings: Config['tools']['web'], timers: Timers): EgressBroker {
  return new EgressBroker({
    resolve: systemResolver,
    localNetworks: systemNetworks,
    timers,
    dial: dialAddress,
    hosts: parseHostPatterns(settings.hosts, { any: true }),
    plainHosts: parseHostPatterns(settings.allowHttp),
    openings: parseOpenings(settings.allowPrivate),
  });
}
