/** An obstacle to one step: reported as a conflict, while the other steps continue. */
export class Surprise extends Error {}
