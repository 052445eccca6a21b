/** What stands in the way of one step: it is told as a conflict, and the other steps go on. */
export class Surprise extends Error {}
