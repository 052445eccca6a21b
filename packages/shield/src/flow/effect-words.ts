import type { EffectKind } from '@bulkhead/protocol';

const list = (text: string): readonly string[] => text.trim().split(/\s+/u);

/**
 * The imperative words for each class of effect. One list per class, from the class's meaning
 * alone; a tool's own words come from its name and annotation. `read`, `delegate` and `remember`
 * change nothing outside and `fetch` is judged by its destination, so they need no words.
 */
export const EFFECT_WORDS: Readonly<Record<EffectKind, readonly string[]>> = {
  read: [],
  fetch: [],
  delegate: [],
  remember: [],
  send: list(`send mail email message dm write reply respond answer forward tell notify inform text ping ask let contact post
    congratulate remind invite drop pass deliver`),
  share: list('share give grant add invite allow permit open forward'),
  publish: list('publish post upload push tweet announce release deploy submit share put write'),
  pay: list(
    `pay transfer send refund reimburse wire settle donate buy purchase order tip repay give cover top forward`,
  ),
  book: list('book reserve reservation order buy rent arrange hire'),
  create:
    list(`create add make set schedule write draft generate put save start prepare reminder remind plan build compose
    open register note block book record new enter log`),
  change:
    list(`change update edit modify move reschedule rename append add replace fix correct set adjust mark archive shift
    postpone extend increase decrease reduce raise complete put insert delay bring push write revise rewrite amend`),
  delete: list('delete remove erase clear cancel drop trash discard unsubscribe kick clean purge wipe call'),
  execute: list(
    'run execute install build test start compile deploy launch download fetch push pull clone check',
  ),
  schedule: list('schedule every daily weekly monthly hourly remind recurring repeat automate regularly'),
  configure: list('configure set enable disable change turn switch update adjust'),
  account: list('change update reset set register sign create open close edit correct'),
};

/**
 * Classes with very common words, so the object must be named, too: by `words` and the tool's name.
 */
export const NAMED_EFFECTS: ReadonlySet<EffectKind> = new Set<EffectKind>(['account', 'configure']);
