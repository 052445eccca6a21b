export { type ArmedCut, CutDisk } from './cut-disk.ts';
export { LoopDisk, type LoopKind } from './loop-disk.ts';
export { recordDisk } from './record-disk.ts';
export { SharingDisk, type SharingKind } from './sharing-disk.ts';
