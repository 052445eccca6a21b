import { appendFileSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * A separate program that saves a rising number to one of the files, again and again, at uneven
 * pace.
 */
const { files, saves, how } = JSON.parse(process.argv[2] ?? '') as {
  readonly files: readonly string[];
  readonly saves: number;
  readonly how: 'in place' | 'by renaming';
};

for (let save = 0; save < saves; save++) {
  const file = files[(save * 7) % files.length] ?? '';
  if (how === 'in place') {
    appendFileSync(file, `${save}\n`);
  } else {
    // An editor with an old version would overwrite others' words even without a commit: this one
    // reads just before.
    writeFileSync(`${file}.new`, `${readFileSync(file, 'utf8')}${save}\n`);
    renameSync(`${file}.new`, file);
  }
  if (save % 3 !== 0) await sleep((save * 13) % 17);
}
