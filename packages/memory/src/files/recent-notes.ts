import type { ProfileFiles } from './profile-files.ts';

/** One day's notes. */
export interface DailyNote {
  /** `YYYY-MM-DD` */
  readonly date: string;
  /** Below the profile's folder. */
  readonly path: string;
  readonly text: string;
}

/** Most bytes returned of one day's notes; a longer note is reduced to its end, the newest part. */
const MAX_BYTES = 4_000;
/** Most bytes read of one note. */
const MAX_READ = 1024 * 1024;

/**
 * Returns the last existing daily notes, newest last.
 *
 * @param today `YYYY-MM-DD`: notes of later days are skipped
 * @param days most notes
 */
export function recentNotes(files: ProfileFiles, today: string, days: number): readonly DailyNote[] {
  const notes = files
    .list()
    .files.filter(({ source, date, isConflict }) => source === 'daily' && !isConflict && date <= today)
    .toSorted((a, b) => (a.date < b.date ? -1 : 1))
    .slice(-days);
  return notes.flatMap(({ path, date }) => {
    const text = textOf(files, path);
    return text === '' ? [] : [{ date, path, text }];
  });
}

function textOf(files: ProfileFiles, path: string): string {
  try {
    const bytes = files.read(path, MAX_READ)?.bytes ?? new Uint8Array();
    const text = new TextDecoder().decode(bytes).trim();
    if (text.length <= MAX_BYTES) return text;
    const tail = text.slice(-MAX_BYTES);
    return `[…]\n${tail.slice(tail.indexOf('\n') + 1)}`;
  } catch {
    // Listing the files reports the problem.
    return '';
  }
}
