/** First line of an exported session: the kind of file. */
export const FILE_FORMAT = 'bulkhead-session';
/** Version of the lines. A file of a higher one is refused. */
export const FILE_VERSION = 1;

export interface FileHeader {
  readonly format: typeof FILE_FORMAT;
  readonly version: number;
  readonly title: string;
  readonly workingFolder: string;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** One line for each entry of the tree, parents first. Labels are entries too. */
export interface FileEntry {
  readonly id: string;
  readonly parent: string | null;
  readonly time: number;
  readonly turn: string;
  readonly type: string;
  readonly body: object;
}

/** The last line: proves that all lines before it are complete and unchanged. */
export interface FileFooter {
  readonly leaf: string | null;
  readonly entries: number;
  /** Over all lines before it, each with its line feed; hexadecimal. */
  readonly sha256: string;
}
