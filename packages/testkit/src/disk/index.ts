export { SharingDisk, type SharingKind } from './sharing-disk.ts';
