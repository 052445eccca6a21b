/** Where things lie below `BULKHEAD_HOME`. Pure: joins names, touches no disk. */
export interface HomeLayout {
  readonly root: string;
  readonly config: string;
  readonly secrets: string;
  readonly policies: string;
  readonly state: string;
  /** There once the home was made whole: nothing in it is put back from then on. */
  readonly mark: string;
  /** Sessions and what is kept beside them: labels, programs, approvals, totals, who wrote which memory. */
  readonly database: string;
  /** Copies of a session database that had lost records, as it was before an engine wrote to it. */
  readonly damaged: string;
  readonly audit: string;
  /** Who may come in over HTTP: hashes of what logins and programs send. */
  readonly access: string;
  /** The owner's token for HTTP, 0600: it can be shown again. */
  readonly accessToken: string;
  /** Folder of records: which folders a person trusts, and what was in them then. */
  readonly trust: string;
  /** A folder for each profile: the texts, skills and memory of an agent. */
  readonly profiles: string;
  /** What was there before each action. */
  readonly chronicle: string;
  readonly logs: string;
  /** Full outputs of commands whose result was cut. */
  readonly outputs: string;
  /** What commands changed and what became of it, until it is settled. */
  readonly scratch: string;
  /** What a client fetches for the engine to judge: a folder for each fetch, named after the client's process. */
  readonly fetched: string;
  /** What is known of time: see `ConfirmedTime`. */
  readonly clock: string;
  /** Sockets, pid and token files; mode 0700. */
  readonly run: string;
  readonly socket: string;
  readonly token: string;
  readonly lock: string;
}

/** @param root absolute path of the home, without a trailing slash */
export function homeLayout(root: string): HomeLayout {
  const state = `${root}/state`;
  const run = `${state}/run`;
  return {
    root,
    config: `${root}/config.yaml`,
    secrets: `${root}/secrets.json`,
    policies: `${root}/policies`,
    profiles: `${root}/profiles`,
    state,
    mark: `${state}/home.json`,
    database: `${state}/bulkhead.db`,
    damaged: `${state}/damaged`,
    audit: `${state}/audit`,
    access: `${state}/access.db`,
    accessToken: `${state}/access-token`,
    trust: `${state}/trust`,
    chronicle: `${state}/chronicle`,
    logs: `${state}/logs`,
    outputs: `${state}/outputs`,
    scratch: `${state}/scratch`,
    fetched: `${state}/fetched`,
    clock: `${state}/clock.json`,
    run,
    socket: `${run}/engine.sock`,
    token: `${run}/token`,
    lock: `${run}/engine.lock`,
  };
}
