/** Who calls, as far as they proved it. What a caller says of its own rights is not read. */
export interface Proof {
  /** Names it for as long as it lives; says nothing of the secret. */
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

/** What the door needs of the store of access. */
export interface Access {
  /** @returns undefined if the secret is nobody's, or was taken back. Takes the same time whatever it is. */
  prove(secret: string, way: 'bearer' | 'cookie'): Proof | undefined;
  /** Uses a login code up. @returns the secret for the cookie; undefined if the code is wrong, used or too old */
  logIn(code: string): Promise<Login | undefined>;
  /** Ends a login. */
  logOut(proof: Proof): Promise<void>;
  /** Calls `listener` with the id of each proof that ends. */
  onEnd(listener: (id: string) => void): Disposable;
}
