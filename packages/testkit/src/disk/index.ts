export { LoopDisk, type LoopKind } from './loop-disk.ts';
export { SharingDisk, type SharingKind } from './sharing-disk.ts';
