import type { AuditDetails, AuditInput } from './audit-entry.ts';

const NAME_CHARACTERS = 256;
const KEY_CHARACTERS = 64;
const VALUE_CHARACTERS = 512;
const LIST_ITEMS = 32;
const MEMBERS = 32;
const DETAILS_BYTES = 16 * 1024;

/**
 * Makes an input that fits one short line, whatever a model wrote: truncated, without lone
 * surrogates and numbers that JSON lacks, so that no proposal of an agent can make the log fail.
 */
export function capInput(input: AuditInput): AuditInput {
  return {
    step: input.step,
    action: cut(input.action, NAME_CHARACTERS),
    hash: cut(input.hash, NAME_CHARACTERS),
    session: cut(input.session, NAME_CHARACTERS),
    tool: cut(input.tool, NAME_CHARACTERS),
    ...(isPosition(input.logged) ? { logged: input.logged } : {}),
    details: capDetails(input.details),
  };
}

function isPosition(logged: number | undefined): logged is number {
  return logged !== undefined && Number.isSafeInteger(logged) && logged > 0;
}

function capDetails(details: AuditDetails): AuditDetails {
  const members = Object.entries(details).filter(([, value]) => value !== undefined);
  const kept = members.slice(0, MEMBERS).map(([key, value]) => [cut(key, KEY_CHARACTERS), capValue(value)]);
  if (members.length > MEMBERS) kept.push(['…', `${members.length - MEMBERS} more`]);
  const capped: AuditDetails = Object.fromEntries(kept);
  const bytes = Buffer.byteLength(JSON.stringify(capped));
  return bytes <= DETAILS_BYTES ? capped : { '…': `${bytes} bytes of details left out` };
}

function capValue(value: AuditDetails[string]): AuditDetails[string] {
  if (typeof value === 'string') return cut(value, VALUE_CHARACTERS);
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value);
  if (typeof value === 'boolean' || value === null) return value;
  const items = value.slice(0, LIST_ITEMS).map((item) => cut(item, VALUE_CHARACTERS));
  return value.length > LIST_ITEMS ? [...items, `… ${value.length - LIST_ITEMS} more`] : items;
}

function cut(text: string, characters: number): string {
  return (text.length <= characters ? text : `${text.slice(0, characters - 1)}…`).toWellFormed();
}
