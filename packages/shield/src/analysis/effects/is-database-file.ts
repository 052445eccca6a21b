/**
 * True for the name of a file with a whole store: a database, a database dump, a mailbox. Its
 * content was not checked. SQL text is as often source code.
 */
export function isDatabaseFile(name: string): boolean {
  return ENDING.test(name);
}

const ENDING =
  /[\w-]\.(?:db|db3|sqlite3?|mdb|accdb|dump|bak|rdb|mdf|ldf|ibd|pst|ost|mbox|kdbx)(?:\.(?:gz|bz2|xz|zst|zip))?$/i;
