import { type PinnedOrigin, SkillPins } from './skill-pins.ts';

/** Where pins are looked up and kept. */
export type Pins = Pick<SkillPins, 'get' | 'set' | 'remove'>;

/** Pins of the skills of all profiles, and of those of one: two profiles may have skills of one name. */
export function openPins(paths: Readonly<Record<PinnedOrigin, string>>): Pins {
  const global = new SkillPins(paths.global);
  const profile = paths.profile === paths.global ? global : new SkillPins(paths.profile);
  const of = (origin: PinnedOrigin): SkillPins => (origin === 'global' ? global : profile);
  return {
    get: (origin, name) => of(origin).get(origin, name),
    set: (pin) => of(pin.origin).set(pin),
    remove: (origin, name) => of(origin).remove(origin, name),
  };
}
