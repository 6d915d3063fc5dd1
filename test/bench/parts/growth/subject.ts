/** What an item of an automation brings along. */
export interface Item {
  readonly email: string;
  readonly code: string;
}

/** Records that the sandbox has. */
export interface Known {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly screenId: string;
  readonly campaignRequestId: string;
}

/** One operation of one platform: runs it once for every item and gives all that came. */
export interface Subject {
  readonly name: string;
  run(items: readonly Item[]): Promise<unknown>;
}

export type Subjects = (known: Known) => Promise<Subject[]>;
