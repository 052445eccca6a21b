import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import * as z from 'zod';
import { HOMES } from './fixture-place.ts';

const seenSchema = z.object({
  page: z.string(),
  sessions: z.record(z.string(), z.string()),
  tokens: z.record(z.string(), z.string()),
  program: z.record(z.string(), z.unknown()),
  view: z.record(z.string(), z.unknown()),
});

/** A packed home, and what clients saw of it when it was written. */
export interface StoredHome {
  readonly name: string;
  readonly archive: string;
  readonly seen: z.infer<typeof seenSchema>;
}

/** Every fixture of this checkout, the oldest first. */
export function storedHomes(): readonly StoredHome[] {
  return readdirSync(HOMES)
    .toSorted()
    .map((name) => {
      const seen = gunzipSync(readFileSync(join(HOMES, name, 'seen.json.gz'))).toString();
      return { name, archive: join(HOMES, name, 'home.tar.gz'), seen: seenSchema.parse(JSON.parse(seen)) };
    });
}
