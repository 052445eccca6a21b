/**
 * True for the name of a file that holds all of a store: a database, a dump of one, a mailbox. Nobody has looked through what
 * is in it. Text in SQL is source code as often.
 */
export function isDatabaseFile(name: string): boolean {
  return ENDING.test(name);
}

const ENDING =
  /[\w-]\.(?:db|db3|sqlite3?|mdb|accdb|dump|bak|rdb|mdf|ldf|ibd|pst|ost|mbox|kdbx)(?:\.(?:gz|bz2|xz|zst|zip))?$/i;
