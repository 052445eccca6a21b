/** Text of the built-in skill `write-skill`. */
export const WRITE_SKILL = `---
name: write-skill
description: To keep how something is done as a skill.
license: Apache-2.0
---

# Write a skill

A skill is what a capable newcomer would need to do this task as well as it was done here: no more.

1. **Find out what is worth keeping.** Go back over the conversation: what was decided, what failed first, which order mattered,
   how the result was checked. What any competent worker would do anyway does not belong in it.
2. **Name it** by what it does: a verb and a thing, lower case, hyphens (review-contract, not contract-helper-v2).
3. **Write the description for whoever has to choose**: one sentence on what it does, then "Use when" with the words the person
   really used. It is all that is seen before the skill is loaded.
4. **Write the body as steps**: an order or a decision on each line, exact commands and names where they matter, the reason where a
   reader might skip a step. Put long tables and examples into a second file and say when to read it. Aim at 60 lines.
5. **Say what done means**: what to check, and what the person gets.
6. **Leave out** passwords, keys, names of private people, paths of this machine, and anything that was true only today.

You cannot put a skill in its place: that is a person's act. Write it into the working folder as NAME/SKILL.md, with this beginning,
and say how to install it: bulkhead skill install NAME

    ---
    name: NAME
    description: ...
    ---

Done means: the folder is there, its name is the name in the file, and the person has read the whole text once.
`;
