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
