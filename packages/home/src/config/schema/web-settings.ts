import { parseHostPatterns, parseOpenings } from '@bulkhead/tools';
import * as z from 'zod';
import { group } from './group.ts';

const MAX_ENTRIES = 1_000;

/** A list of hosts in which every entry must be valid: a mistake would silently admit none. */
function hosts(any: boolean) {
  const known = any ? 'example.org, *.example.org or *' : 'example.org or *.example.org';
  const host = z.string().refine((text) => parseHostPatterns([text], { any }).problem === undefined, {
    error: `not a host like ${known}`,
  });
  return z.array(host).max(MAX_ENTRIES);
}

const place = z.string().refine(isPlace, { error: 'not a host with a port, like 192.168.1.5:8080' });

/** Hosts that the web tools may reach, for every action. Only the user's own file can set them. */
export const webSettings = group({
  hosts: hosts(true)
    .default(['*'])
    .describe('Hosts on the internet that web tools may reach; * is all of them, an empty list none.'),
  allowHttp: hosts(false).default([]).describe('Hosts that may be spoken to without encryption.'),
  allowPrivate: z
    .array(place)
    .max(MAX_ENTRIES)
    .default([])
    .describe(
      'Places of your own network or machine, each host:port, that web tools may reach, also without encryption. Dangerous: what answers there often trusts whoever can reach it.',
    ),
});

function isPlace(text: string): boolean {
  try {
    parseOpenings([text]);
    return true;
  } catch {
    // The schema's own message reports it.
    return false;
  }
}
