import { parentPort, workerData } from 'node:worker_threads';
import { countTokens } from './count-tokens.ts';

/*
 * A thread that counts its texts and ends: the vocabulary takes 70 MB, which no process of ours
 * keeps.
 */
const texts: unknown = workerData;
const counts = Array.isArray(texts) ? texts.map((text) => countTokens(String(text))) : [];
parentPort?.postMessage(counts);
