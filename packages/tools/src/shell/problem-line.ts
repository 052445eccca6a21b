import { getSystemErrorMessage } from 'node:util';
import { shownName } from '@bulkhead/files';
import type { CommandProblem } from '@bulkhead/protocol';

/** Limits of an overlay, each in one sentence with its remedy. `%` stands for the path. */
const SENTENCES: Readonly<Record<string, string>> = {
  'other-links': 'other hard links of % keep the old content; copy it to them where that is not wanted',
  'set-id-dropped': 'the set-user and set-group bits of % are not kept; no command may set them here',
  'disk-full': 'the disk is nearly full; make room on it, then run the command again',
  'edited-since':
    '% was edited while it was put in place, and is left as it is; look at it, and at `bulkhead doctor`',
  'changed-meanwhile':
    'another program changed % while the command ran; look at it, then run the command again',
  'gone-meanwhile':
    'another program removed % while the command ran; look at the folder, then run the command again',
  'open-elsewhere':
    'another program has % open for writing (a database, an editor, a server with its log); close it there, then run the command again',
  'not-ended': 'it could not be ended in an orderly way',
  'left-out':
    'somebody else changed % meanwhile, or has it open for writing: it stays as it is, and what this command did with it is not kept',
  'held-elsewhere':
    'a process that goes on in the background has its files open, and they are too many to be copied; stop it, then run the command again',
  'nested-mount': '% is a mount of its own, which a command can not change here; work in that folder instead',
  'special-file':
    '% is a pipe, a socket or a device, which can not be kept; make it outside of the working folder (/tmp)',
  'too-deep': '% lies too deep in folders to be kept; work in a folder further down',
  'too-many': 'it changed more files than can be kept at once; do it in several commands',
  'not-yours':
    '% belongs to another user and can not be changed here; ask its owner, or make a copy and change that',
};

const UNSEEN: Readonly<Record<string, string>> = {
  'too-large': '% has changed, and is too large to be shown',
  'too-many': 'too much has changed at once',
  'not-watched': 'changes in % are not shown: it can not be watched, or the folder holds too many folders',
  'not-replayed': 'it is shown no changes of the folder any more',
  others: 'more has changed that it is not shown',
};

/** In one line, a change of its folder that a running background command does not see. */
export function unseenLine({ code, path }: CommandProblem): string {
  const name = shownName(path);
  const what =
    UNSEEN[code]?.replaceAll('%', () => name) ?? `a change is not shown (${unknownProblem(code, name)})`;
  return `${what}; restart it to have it see the folder as it is`;
}

/** A problem in one line. @param more how many others there are */
export function problemLine({ code, path }: CommandProblem, more = 0): string {
  const name = shownName(path);
  const sentence = SENTENCES[code]?.replaceAll('%', () => name) ?? unknownProblem(code, name);
  return more > 0 ? `${sentence} (and ${more} more)` : sentence;
}

function unknownProblem(code: string, name: string): string {
  const errno = /^errno-(\d+)$/.exec(code)?.[1];
  if (errno === undefined) return `${name} can not be kept (${code})`;
  return `${name === '' ? 'the folder' : name}: ${getSystemErrorMessage(-Number(errno))}`;
}
