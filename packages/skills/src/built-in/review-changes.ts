/** Text of the built-in skill `review-changes`. */
export const REVIEW_CHANGES = `---
name: review-changes
description: To review a diff or commit.
license: Apache-2.0
---

# Review changes

1. **Get the whole change first**: its diff, and the list of files. Without git, ask which files and compare with what the
   person has. Read each changed file around the change, not the lines alone.
2. **Say to yourself what it is for**, in a sentence. If that can't be told from the change and its message, this is the first finding.
3. **Look for what hurts, in this order**:
   - wrong results: conditions turned round, off by one, empty and missing input, units, time zones, errors swallowed
   - harm: data lost or shown to others, secrets in code or logs, input from outside used as a path, a command or a query
   - two at once: shared state, an order that is not guaranteed, something left open when it fails in the middle
   - promises broken: callers that relied on the old behaviour, stored data of the old form, documents that are no longer true
   - tests: would one of them fail if the change were wrong? If not, say which is missing.
4. **Prove each finding** before reporting it: find the caller, run the test, try the input. What can't be proved is a question, not a finding.
5. **Leave taste alone**: what a formatter decides, names that are merely different, rewrites that were not asked for.

Report the worst first, at most ten:

    FILE:LINE  what happens, with which input  ->  the smallest mend

Then, in one line each: what was checked and is right, and what was not looked at. Change nothing unless the person asked for it.
`;
