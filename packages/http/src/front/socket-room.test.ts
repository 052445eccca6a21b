import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { type SocketHolder, SocketRoom } from './socket-room.ts';

const owner: SocketHolder = { id: 'o', isProgram: false };
const login: SocketHolder = { id: 'l', isProgram: false };
const program = (id: string): SocketHolder => ({ id, isProgram: true });

/** Enters sockets that are proved to be the holder's; returns for each whether it was kept. */
function fill(room: SocketRoom, holder: SocketHolder, count: number) {
  return Array.from({ length: count }, () => {
    const socket = new PassThrough();
    room.enter(socket);
    return { socket, isKept: room.keep(socket, holder) };
  });
}

const open = (sockets: readonly { readonly socket: PassThrough }[]): number =>
  sockets.filter(({ socket }) => !socket.destroyed).length;

describe('SocketRoom', () => {
  it('gives each program a share, and all of them together no more than theirs [FT49]', () => {
    const room = new SocketRoom();
    const greedy = fill(room, program('a'), 40);
    expect(greedy.map(({ isKept }) => isKept)).toEqual([...Array(32).fill(true), ...Array(8).fill(false)]);
    const others = Array.from({ length: 9 }, (_, index) => fill(room, program(`p${index}`), 32)).flat();
    expect(others.filter(({ isKept }) => isKept)).toHaveLength(256 - 32);
    // A closed socket makes room for the next.
    greedy[0]?.socket.destroy();
    greedy[0]?.socket.emit('close');
    expect(fill(room, program('late'), 1)[0]?.isKept).toBe(true);
  });

  it('lets the owner in despite full sockets: the oldest of the owner’s largest holder makes room [FT49]', () => {
    const room = new SocketRoom();
    for (let index = 0; index < 8; index += 1) fill(room, program(`p${index}`), 32);
    const pages = fill(room, login, 3);
    const script = fill(room, owner, 300);
    expect(script.every(({ isKept }) => isKept)).toBe(true);
    expect([open(script), open(pages)]).toEqual([253, 3]);
    expect(script.slice(0, 47).every(({ socket }) => socket.destroyed)).toBe(true);
    expect(fill(room, login, 1)[0]?.isKept).toBe(true);
    expect(open(pages)).toBe(3);
    // Later strangers push none of them out.
    for (let count = 0; count < 500; count += 1) room.enter(new PassThrough());
    expect([open(script), open(pages)]).toEqual([252, 3]);
  });

  it('counts a socket as whose it is now, once', () => {
    const room = new SocketRoom();
    const [moved] = fill(room, program('a'), 32);
    if (moved === undefined) throw new Error('no socket');
    expect(room.keep(moved.socket, program('a'))).toBe(true);
    expect(room.keep(moved.socket, owner)).toBe(true);
    expect(fill(room, program('a'), 2).map(({ isKept }) => isKept)).toEqual([true, false]);
    expect(room.keep(moved.socket, program('a'))).toBe(false);
  });

  it('ends all of them', () => {
    const room = new SocketRoom();
    const all = [...fill(room, owner, 2), ...fill(room, program('a'), 2)];
    const stranger = new PassThrough();
    room.enter(stranger);
    room.clear();
    expect([open(all), stranger.destroyed]).toEqual([0, true]);
  });
});
