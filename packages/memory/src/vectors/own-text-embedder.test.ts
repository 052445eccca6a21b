import { describe, expect, it } from 'vitest';
import { ownTextEmbedder } from './own-text-embedder.ts';
import { cosine, quantise } from './quantise.ts';

describe("vectors from the user's own text [M2]", () => {
  const signal = new AbortController().signal;
  const near = async (query: string, text: string, weight = (_: string) => 1) => {
    const embedder = ownTextEmbedder(weight);
    const [document] = await embedder.embed([text], 'document', signal);
    const [wanted] = await embedder.embed([query], 'query', signal);
    if (document === undefined || wanted === undefined) throw new Error('no vector');
    return cosine(quantise(document), quantise(wanted));
  };
  const other = 'The committee postponed its decision about parking fees.';

  it('are near for other spellings and compounds, and not for other words', async () => {
    for (const [query, text] of [
      ['accomodation', 'We looked for an accommodation near the lake.'],
      ['Zahnarzttermin', 'Zahnarzt um neun'],
      ['skateboarding', 'He broke his skateboard.'],
    ] as const) {
      expect(await near(query, text)).toBeGreaterThan(0.05 + (await near(query, other)));
    }
  });

  it('know what a word is worth here', async () => {
    const weight = (term: string) => (term === 'lake' ? 5 : 0.01);
    const text = 'Something was at the lake in those days.';
    expect(await near('in those lake days', text, weight)).toBeLessThan(
      await near('in those lake days', text),
    );
    expect(await near('lake committee', text, weight)).toBeGreaterThan(await near('lake committee', text));
  });

  it('are the same every time, and none for a text without words', async () => {
    const embedder = ownTextEmbedder(() => 1);
    const [a, b, none] = await embedder.embed([other, other, ' …!'], 'document', signal);
    expect(a).toEqual(b);
    expect(none?.every((value) => value === 0)).toBe(true);
  });
});
