/** Who calls, as far as they proved it. What a caller says of its own rights is not read. */
export interface Proof {
  /** Names it for as long as it lives; says nothing of the secret. */
  readonly id: string;
  /** `owner`: the access token. `login`: a browser's cookie. `program`: a token made for one program. */
  readonly kind: 'owner' | 'login' | 'program';
  /** Of a program. */
  readonly name: string;
}

/** What the door needs of the store of access. None of it waits. */
export interface Access {
  /** @returns undefined if the secret is nobody's, or was taken back. Takes the same time whatever it is. */
  prove(secret: string, way: 'bearer' | 'cookie'): Proof | undefined;
  /** Uses a login code up. @returns the secret for the cookie; undefined if the code is wrong, used or too old */
  logIn(code: string): { readonly secret: string; readonly maxAgeSeconds: number } | undefined;
  /** Ends a login. */
  logOut(proof: Proof): void;
  /** Calls `listener` with the id of each proof that ends. */
  onEnd(listener: (id: string) => void): Disposable;
}
