#!/usr/bin/env node
/*
 * Verifies an exported audit log, or a proof, with nothing but Node.js: it shares no code with Bulkhead, so that a mistake
 * there is not believed here.
 *
 *   node verify.mjs [FOLDER] [--key KEY] [--witness FILE]
 *   node verify.mjs --proof FILE [--key KEY]
 *
 * Without --key it trusts the key that lies beside the log: then it tells that all fits together, not who signed it.
 * Exits with 0 if all is well, 1 and the first thing that is not, 2 if called wrongly.
 *
 * The log: lines of JSON, each with SHA-256 of itself (`self`, over the line without that member) and of the line before
 * (`prev`). Over the lines a Merkle tree as in RFC 9162, 2.1.1. Its root is signed in checkpoints, which are signed notes
 * (C2SP signed-note and tlog-checkpoint, Ed25519); each names the hash of the one before. Where the key of the log changes, a
 * checkpoint names both keys (key-from, key-to) and both sign it. KEY may be any of the keys that the log has had.
 */
import { createHash, createPublicKey, verify } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

class Bad extends Error {}

const sha256 = (...parts) => {
  const digest = createHash('sha256');
  for (const part of parts) digest.update(part);
  return digest.digest();
};
const leafOf = (line) => sha256(Buffer.of(0), line);
const nodeOf = (left, right) => sha256(Buffer.of(1), left, right);
const ZEROS = Buffer.alloc(32);

/* The key and the notes it signs. */

function parseKey(text) {
  const match = /^(.+)\+([0-9a-f]{8})\+([A-Za-z0-9+/]{44})$/.exec(text.trim());
  const bytes = Buffer.from(match?.[3] ?? '', 'base64');
  if (match === null || bytes[0] !== 1) throw new Bad('this is not an Ed25519 key of a log');
  const name = match[1];
  const id = sha256(`${name}\n`, bytes).subarray(0, 4);
  if (id.toString('hex') !== match[2]) throw new Bad('the key is damaged');
  const der = Buffer.concat([Buffer.from('302a300506032b6570032100', 'hex'), bytes.subarray(1)]);
  return { text: text.trim(), name, id, key: createPublicKey({ key: der, format: 'der', type: 'spki' }) };
}

const isSignedBy = (key, body, signature) => {
  const bytes = Buffer.from(signature, 'base64');
  return (
    bytes.subarray(0, 4).equals(key.id) && verify(null, Buffer.from(`${body}\n`), key.key, bytes.subarray(4))
  );
};

/** The text of a note, without looking at its signatures. */
function readNote(note) {
  const [body, signatures, ...more] = typeof note === 'string' ? note.split('\n\n') : [];
  const [origin, size, root, time, previous, ...rest] = (body ?? '').split('\n');
  const change = /^key-from (\S+)\nkey-to (\S+)$/.exec(rest.join('\n'));
  const lines = (signatures ?? '').split('\n').slice(0, -1);
  const signed = lines.map((line) => /^— (\S+) (\S+)$/.exec(line));
  const wellFormed =
    more.length === 0 &&
    /^(0|[1-9]\d{0,15})$/.test(size ?? '') &&
    /^time \S+$/.test(time ?? '') &&
    /^previous \S{44}$/.test(previous ?? '') &&
    rest.length === (change === null ? 0 : 2) &&
    signed.length === (change === null ? 1 : 2) &&
    signed.every((line) => line?.[1] === origin);
  if (!wellFormed) throw new Bad('it is not a checkpoint');
  return {
    body,
    origin,
    signatures: signed.map((line) => line[2]),
    change: change === null ? undefined : { from: parseKey(change[1]), to: parseKey(change[2]) },
    size: Number(size),
    root: Buffer.from(root, 'base64'),
    previous: Buffer.from(previous.slice('previous '.length), 'base64'),
    hash: sha256(note),
  };
}

/** A note, signed by the key that was in force, and by the next one where it hands over to it. */
function parseNote(note, ring) {
  const read = readNote(note);
  const { body, origin, size, change, signatures } = read;
  const at = ring.findIndex(({ until }) => size <= until);
  const key = ring[at]?.key;
  if (origin !== key?.name) throw new Bad(`it is of the log ${origin}, and the key is that of ${key?.name}`);
  if (!signatures.some((signature) => isSignedBy(key, body, signature))) {
    const other = ring.find(({ key: one }) =>
      signatures.some((signature) => isSignedBy(one, body, signature)),
    );
    if (other === undefined) throw new Bad('its signature is wrong');
    throw new Bad(
      size > other.until
        ? `it was signed by a key that was replaced after entry ${other.until}`
        : 'it was signed by a key that was not in force yet',
    );
  }
  // A proof comes with one key, and tells nothing of the next one.
  const next = ring[at + 1]?.key;
  if (
    change !== undefined &&
    ring.length > 1 &&
    (change.from.text !== key.text || change.to.text !== next?.text)
  ) {
    throw new Bad('it changes the key to one that the log does not go on with');
  }
  if (change !== undefined && next !== undefined && !isSignedBy(next, body, signatures[1]))
    throw new Bad('it changes the key, and the new key did not sign it');
  return read;
}

/** The keys of a log one after another, each with the size up to which it signs. */
function ringOf(folder, names, known) {
  const changes = names
    .filter((name) => name.endsWith('.checkpoints'))
    .flatMap((name) => readFileSync(join(folder, name), 'utf8').split('\n'))
    .filter((line) => line.includes('\\nkey-to '))
    .map((line) => readNote(JSON.parse(line)));
  if (changes.length === 0) return [{ key: known, until: Number.POSITIVE_INFINITY }];
  const ring = changes.map(({ change, size }) => ({ key: change.from, until: size }));
  ring.push({ key: changes.at(-1).change.to, until: Number.POSITIVE_INFINITY });
  if (!ring.some(({ key }) => key.text === known.text))
    throw new Bad(`${known.text} is none of the keys of this log`);
  return ring;
}

/* A tree that grows: the roots of its full subtrees, with their numbers of leaves. */

function grow(edge, leaf) {
  let subtree = { leaves: 1, root: leaf };
  while (edge.at(-1)?.leaves === subtree.leaves) {
    const left = edge.pop();
    subtree = { leaves: 2 * left.leaves, root: nodeOf(left.root, subtree.root) };
  }
  edge.push(subtree);
}

function rootOf(edge) {
  if (edge.length === 0) return sha256('');
  return edge.map(({ root }) => root).reduceRight((right, left) => nodeOf(left, right));
}

/* The log. */

function* linesOf(path) {
  const bytes = readFileSync(path);
  let start = 0;
  for (let end = bytes.indexOf(10); end >= 0; end = bytes.indexOf(10, start)) {
    yield bytes.subarray(start, end);
    start = end + 1;
  }
  if (start < bytes.length) throw new Bad('the last line is incomplete');
}

function checkEntry(line, state) {
  const text = new TextDecoder('utf-8', { fatal: true }).decode(line);
  const entry = JSON.parse(text);
  if (entry.v !== 1 || entry.n !== state.n + 1) throw new Bad(`its number is ${entry.n}, not ${state.n + 1}`);
  if (entry.prev !== state.self) throw new Bad('it does not follow the entry before it');
  const member = `"self":"${entry.self}",`;
  const at = text.lastIndexOf(member);
  if (at < 0 || sha256(text.slice(0, at), text.slice(at + member.length)).toString('hex') !== entry.self) {
    throw new Bad('its content does not match its hash');
  }
  state.n = entry.n;
  state.self = entry.self;
}

/** Calls `act`; what it throws is told with where it happened. */
function at(place, act) {
  try {
    return act();
  } catch (error) {
    if (error instanceof Bad && error.placed) throw error;
    const bad = new Bad(`${place()}: ${error.message}`);
    bad.placed = true;
    throw bad;
  }
}

/** The first line: the tree at the start of the file. */
function checkHeader({ v, size, roots }, { n, edge }) {
  const own = edge.map(({ root }) => root.toString('base64'));
  if (v !== 1 || size !== n || JSON.stringify(roots) !== JSON.stringify(own)) {
    throw new Bad('it does not tell the tree at the start of the file');
  }
}

function readCheckpoints(path, ring, state) {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const notes = [];
  let line = 0;
  at(
    () => `${name}, line ${line + 1}`,
    () => {
      for (const bytes of linesOf(path)) {
        if (line === 0) checkHeader(JSON.parse(bytes.toString()), state);
        else {
          const note = parseNote(JSON.parse(bytes.toString()), ring);
          if (!note.previous.equals(state.checkpoint))
            throw new Bad('it does not follow the checkpoint before it');
          state.checkpoint = note.hash;
          notes.push({ ...note, place: `${name}, line ${line + 1}` });
        }
        line += 1;
      }
    },
  );
  return notes;
}

function readWitness(path, ring) {
  return [...linesOf(path)].map((bytes, index) => {
    const place = `${path}, line ${index + 1}`;
    return {
      ...at(
        () => place,
        () => parseNote(JSON.parse(bytes.toString()), ring),
      ),
      place,
    };
  });
}

function compare(expected, state) {
  for (const note of expected.filter(({ size }) => size === state.n)) {
    if (!rootOf(state.edge).equals(note.root)) {
      throw new Bad(
        `entries ${state.agreed + 1} to ${state.n} are not those that ${note.place}, was signed over`,
      );
    }
    state.agreed = state.n;
  }
}

/** The key to check with; undefined for a log of a version that signed nothing. */
function keyOf(folder, given, names, witness) {
  const beside = join(folder, 'checkpoint-key.pub');
  const signed = names.some((name) => name.endsWith('.checkpoints'));
  const text = given ?? (existsSync(beside) ? readFileSync(beside, 'utf8') : undefined);
  if (text === undefined && (signed || witness !== undefined)) throw new Bad('the key is missing');
  if (text !== undefined && !signed) throw new Bad('the checkpoints are missing');
  return text === undefined ? undefined : parseKey(text);
}

function verifyFolder(folder, keyText, witness) {
  const names = readdirSync(folder).sort();
  const logs = names.filter((name) => /^audit-\d{6}\.jsonl$/.test(name));
  if (logs.length === 0) throw new Bad(`${folder} holds no audit log`);
  const known = keyOf(folder, keyText, names, witness);
  const ring = known === undefined ? [] : ringOf(folder, names, known);
  const state = { n: 0, self: '0'.repeat(64), edge: [], checkpoint: ZEROS, agreed: 0 };
  let waiting = witness === undefined ? [] : readWitness(witness, ring);
  let checkpoints = 0;
  for (const [index, name] of logs.entries()) {
    if (Number(name.slice(6, 12)) !== index + 1) throw new Bad(`the file before ${name} is missing`);
    const path = join(folder, name.replace('.jsonl', '.checkpoints'));
    const own = existsSync(path) ? readCheckpoints(path, ring, state) : [];
    checkpoints += own.length;
    waiting = [...waiting, ...own];
    const sizes = new Set(waiting.map(({ size }) => size));
    let line = 0;
    at(
      () => `${name}, line ${line + 1} (entry ${state.n + 1})`,
      () => {
        for (const bytes of linesOf(join(folder, name))) {
          checkEntry(bytes, state);
          grow(state.edge, leafOf(bytes));
          if (sizes.has(state.n))
            at(
              () => 'the tree',
              () => compare(waiting, state),
            );
          line += 1;
        }
      },
    );
    waiting = waiting.filter(({ size }) => size > state.n);
  }
  const [beyond] = waiting;
  if (beyond !== undefined) {
    throw new Bad(
      `${beyond.place}: it was signed over ${beyond.size} entries, and the log ends after ${state.n}`,
    );
  }
  return `${state.n} entries, ${checkpoints} checkpoints, the last of ${state.agreed} entries${keyNote(ring.at(-1)?.key, keyText)}`;
}

function keyNote(key, given) {
  if (key === undefined) return ': the hash chain alone, nothing was signed';
  return `\nkey ${key.text}${given === undefined ? ' (it lay beside the log: compare it with what you know)' : ''}`;
}

/* Proofs: roots of subtrees, from left to right. */

/** Leaves of the left subtree: the largest power of two below all. */
function splitOf(leaves) {
  let left = 1;
  while (2 * left < leaves) left *= 2;
  return left;
}

function verifyAction(proof, ring) {
  const { size, root } = parseNote(proof.checkpoint, ring);
  const leaves = new Map();
  for (const { n, line } of proof.entries) {
    const entry = JSON.parse(line);
    if (entry.action !== proof.action || entry.n !== n || n < 1 || n > size) {
      throw new Bad(`entry ${n} is not one of this action, or not covered`);
    }
    leaves.set(n - 1, leafOf(line));
  }
  if (leaves.size === 0) throw new Bad('it shows no entry');
  const hashes = proof.hashes.map((hash) => Buffer.from(hash, 'base64'));
  const recompute = (from, to) => {
    if (![...leaves.keys()].some((index) => from <= index && index < to)) return hashes.shift() ?? ZEROS;
    if (to - from === 1) return leaves.get(from);
    const middle = from + splitOf(to - from);
    const left = recompute(from, middle);
    return nodeOf(left, recompute(middle, to));
  };
  if (!recompute(0, size).equals(root) || hashes.length > 0)
    throw new Bad('the entries are not in the signed tree');
  return `${leaves.size} entries of action ${proof.action} are in the log of ${size} entries`;
}

function verifyConsistency(proof, ring) {
  const older = parseNote(proof.older, ring);
  const newer = parseNote(proof.newer, ring);
  if (older.size < 1 || older.size >= newer.size)
    throw new Bad('the older checkpoint is not the smaller one');
  const hashes = proof.hashes.map((hash) => Buffer.from(hash, 'base64'));
  const recompute = (from, to) => {
    if (from < older.size && older.size < to) {
      const middle = from + splitOf(to - from);
      const left = recompute(from, middle);
      const right = recompute(middle, to);
      const past = right.older === undefined ? left.older : nodeOf(left.older, right.older);
      return { newer: nodeOf(left.newer, right.newer), older: past };
    }
    const hash = hashes.shift() ?? ZEROS;
    return { newer: hash, older: to <= older.size ? hash : undefined };
  };
  const roots = recompute(0, newer.size);
  const fits = roots.newer.equals(newer.root) && roots.older?.equals(older.root) && hashes.length === 0;
  if (!fits) throw new Bad('the older log is not the start of the newer one');
  return `the log of ${older.size} entries is the start of that of ${newer.size}`;
}

function verifyProof(path, keyText) {
  const proof = JSON.parse(readFileSync(path, 'utf8'));
  const key = parseKey(keyText ?? proof.key);
  const kinds = { action: verifyAction, consistency: verifyConsistency };
  const check = proof.v === 1 && Object.hasOwn(kinds, proof.proves) ? kinds[proof.proves] : undefined;
  if (check === undefined) throw new Bad(`${path} is not a proof of this version`);
  const ring = [{ key, until: Number.POSITIVE_INFINITY }];
  return `${check(proof, ring)}${keyNote(key, keyText)}`;
}

function main() {
  const options = { key: { type: 'string' }, witness: { type: 'string' }, proof: { type: 'string' } };
  let given;
  try {
    given = parseArgs({ options, allowPositionals: true });
  } catch (error) {
    process.stderr.write(`${error.message}\n`);
    return 2;
  }
  const { values, positionals } = given;
  try {
    const folder = positionals[0] ?? dirname(fileURLToPath(import.meta.url));
    const told =
      values.proof === undefined
        ? verifyFolder(folder, values.key, values.witness)
        : verifyProof(values.proof, values.key);
    process.stdout.write(`ok: ${told}\n`);
    return 0;
  } catch (error) {
    process.stdout.write(`BAD: ${error.message}\n`);
    return 1;
  }
}

process.exitCode = main();
