/** The caller's proven identity. A caller's own claims about its rights are ignored. */
export interface Proof {
  /** Identifies the proof while it is valid; reveals nothing about the secret. */
  readonly id: string;
  /** `owner`: the access token. `login`: a browser's cookie. `program`: a token made for one program. */
  readonly kind: 'owner' | 'login' | 'program';
  /** Of a program. */
  readonly name: string;
}

export interface Login {
  readonly secret: string;
  readonly maxAgeSeconds: number;
}

/** The access store, as the door uses it. */
export interface Access {
  /** @returns undefined if the secret is unknown or revoked. Takes the same time in all cases. */
  prove(secret: string, way: 'bearer' | 'cookie'): Proof | undefined;
  /**
   * Consumes a login code. @returns the secret for the cookie; undefined if the code is wrong, used
   * or too old
   */
  logIn(code: string): Promise<Login | undefined>;
  /** Ends a login. */
  logOut(proof: Proof): Promise<void>;
  /** Calls `listener` with the id of each proof that ends. */
  onEnd(listener: (id: string) => void): Disposable;
}
