/** Up to so many chunks every one is ranked, and has a vector also where no provider makes them; in a larger memory a choice is made first. */
export const RANK_ALL = 2_000;
