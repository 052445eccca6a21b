import { readSync } from 'node:fs';
import { Descriptor, systemCode } from '@bulkhead/files';
import type { ProfileSlot } from '@bulkhead/protocol/agent';
import { PROFILE_BYTES, PROFILE_FILES, type ProfileFile } from './profile-files.ts';
import { type PromptText, promptText } from './prompt-text.ts';

/** The texts of a profile for the agent. */
export interface ProfileReading {
  readonly texts: readonly { readonly slot: ProfileSlot; readonly text: string }[];
  /** Problems of these files for a person, one line each. */
  readonly notices: readonly string[];
  /** Bytes that a working folder's own text may still have. */
  readonly left: number;
}

interface KnownText {
  /** Another one after every change of the file, and of the room it has. */
  readonly stamp: string;
  readonly prompt: PromptText;
}

/**
 * Reads the texts of a profile: bounded, without following links, and again only when a file has changed. A file that can't
 * be read is left out with a notice; none of them is needed.
 */
export class ProfileTexts {
  readonly #folder: string;
  readonly #known = new Map<string, KnownText>();

  /** @param folder of the profile, in the engine's home */
  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Never throws. */
  read(): ProfileReading {
    using folder = openFolder(this.#folder);
    let left = PROFILE_BYTES;
    const texts: { slot: ProfileSlot; text: string }[] = [];
    const notices: string[] = [];
    for (const file of folder === undefined ? [] : PROFILE_FILES) {
      const found = this.#text(folder, file, left);
      if (found === undefined) continue;
      notices.push(...found.notices);
      left = Math.max(0, left - Buffer.byteLength(found.text));
      if (found.text !== '') texts.push({ slot: file.slot, text: found.text });
    }
    return { texts, notices, left };
  }

  #text(folder: Descriptor | undefined, file: ProfileFile, most: number): PromptText | undefined {
    if (folder === undefined) return undefined;
    try {
      using entry = Descriptor.ofEntry(folder, Buffer.from(file.name));
      const { dev, ino, size, mtimeNs, ctimeNs } = entry.stat();
      if (!entry.stat().isFile()) return refused(file.name, 'is no plain file');
      const stamp = [dev, ino, size, mtimeNs, ctimeNs, most].join(':');
      const known = this.#known.get(file.name);
      if (known?.stamp === stamp) return known.prompt;
      using content = entry.openContent();
      const bytes = firstBytes(content.fd, Math.min(most, Number(size)));
      const options = { size: Math.max(bytes.length, Number(size)), most, plain: file.plain };
      const prompt = promptText(file.name, bytes, options);
      this.#known.set(file.name, { stamp, prompt });
      return prompt;
    } catch (error) {
      const code = systemCode(error);
      return code === 'ENOENT' ? undefined : refused(file.name, `can't be read (${code ?? 'unknown'})`);
    }
  }
}

function openFolder(path: string): Descriptor | undefined {
  try {
    return Descriptor.ofTrustedFolder(path);
  } catch {
    return undefined;
  }
}

function firstBytes(fd: number, most: number): Buffer {
  const bytes = Buffer.alloc(most);
  let size = 0;
  while (size < most) {
    const got = readSync(fd, bytes, size, most - size, size);
    if (got === 0) break;
    size += got;
  }
  return bytes.subarray(0, size);
}

function refused(name: string, what: string): PromptText {
  return { text: '', notices: [`${name} of the profile ${what}: it is left out`] };
}
