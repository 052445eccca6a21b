import { availableParallelism, cpus, loadavg, release, totalmem } from 'node:os';

/** The facts about the machine that a reader needs; no names of hosts or people. */
export function describeMachine(): string {
  const model = cpus()[0]?.model.trim() ?? 'unknown CPU';
  const kernel = release().replace(/[^\d.].*$/, '');
  const gigabytes = Math.round(totalmem() / 2 ** 30);
  return `${availableParallelism()} cores (${model}), ${gigabytes} GB, Linux ${kernel} ${process.arch}, Node.js ${process.versions.node}`;
}

/** Processes that wanted to run in the last minute: over the number of cores, others were at work too. */
export function load(): string {
  return (loadavg()[0] ?? 0).toFixed(1);
}
