import { resolve } from 'node:path';

const ENDINGS = String.raw`\.(?:png|jpe?g|gif|webp)`;
const IMAGE = new RegExp(
  String.raw`(?:^|\s)@(?:"([^"\n]+${ENDINGS})"|(\S+${ENDINGS}))(?=[\s,.;:!?)]|$)`,
  'gi',
);

/**
 * Absolute paths of the images a message names with `@`, each once; a name with spaces stands in
 * quotes.
 *
 * @param folder absolute; base of relative names
 * @param home absolute; value of `~`
 */
export function attachedImages(text: string, folder: string, home: string): readonly string[] {
  const names = [...text.matchAll(IMAGE)].map(([, quoted, plain]) => quoted ?? plain ?? '');
  return [
    ...new Set(
      names.map((name) =>
        resolve(
          folder,
          name.replace(/^~(?=\/)/, () => home),
        ),
      ),
    ),
  ];
}
