/** Text of the built-in skill `tidy-notes`. */
export const TIDY_NOTES = `---
name: tidy-notes
description: To clean up, merge or shorten notes.
license: Apache-2.0
---

# Tidy notes

The notes are the person's own. Nothing they wrote may be lost, and nothing be added that they did not write.

1. **Read everything first.** Count the entries; you will count again at the end.
2. **Propose the order in three lines**: which headings, what goes together, what looks double or out of date. Wait for a yes if
   anything would be deleted, merged over files, or moved out of its file.
3. **Then work file by file**, with the smallest edits:
   - one thought to a line; the person's words and spelling of names stay
   - dates as 2026-03-04, kept with what they date; "tomorrow" only where the day of writing is known
   - the same fact twice: keep the fuller one. Two facts that disagree: keep both, side by side, and say so
   - tasks first, each beginning with a verb, done ones below with their date
   - what is no longer true goes under "Earlier", at the end, rather than away
4. **Check**: every date, number, name, link and open task of the old text is in the new one. Search for each; do not trust your memory.

Report: how many entries before and after, what was merged, what contradicts what, and what the person should decide.
`;
