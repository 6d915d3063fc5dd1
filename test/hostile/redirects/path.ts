export const secrets = {
  key: 'svc_only_for_the_base_url',
  token: 'sat_only_for_the_base_url',
  clientSecret: 'only-for-the-base-url-client-secret',
};

/** One way on which a credential is sent to the service. */
export interface Path {
  readonly name: string;
  /** Sends it once; how that ends is of no matter. */
  send(baseUrl: string): Promise<unknown>;
}

export interface Paths {
  readonly paths: readonly Path[];
  close(): Promise<void>;
}

let accesses = 0;

/** A new access, because a used one does not request a second token right after a failure. */
export function unusedAccess() {
  accesses += 1;
  return { clientId: `client-${accesses}`, clientSecret: secrets.clientSecret };
}
