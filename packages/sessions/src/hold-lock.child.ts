/**
 * A process that takes the lock named by its first argument, reports it, and holds it until it is
 * killed.
 */
import { acquireInstanceLock } from './instance-lock.ts';

const lock = acquireInstanceLock(process.argv[2] ?? '');
process.stdout.write('locked\n');
await new Promise((resolve) => process.stdin.on('end', resolve).resume());
lock[Symbol.dispose]();
