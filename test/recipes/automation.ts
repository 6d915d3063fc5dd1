import type { EventName } from '@screen-advertising/core';

export type Fields = Readonly<Record<string, unknown>>;

/** What one run of a recipe came to. */
export interface Outcome {
  /** What the last step handed to the mail program or the spreadsheet, a record each. */
  readonly handedOver: readonly Fields[];
  /** What a person sees of a run that failed. */
  readonly failure?: string;
}

/** A recipe on one of the platforms, made by its workflow file or by the steps of its page. */
export interface Automation {
  /** Runs that the event starts, until all are done. */
  happen(event: EventName, data: Fields): Promise<Outcome[]>;
  /** The service delivers the newest event once more: the runs that this starts. */
  deliverAgain(): Promise<Outcome[]>;
  /** A run of a recipe that is started by the clock or by a person, with the rows of their list. */
  start(rows?: readonly Fields[]): Promise<Outcome>;
  close(): Promise<void>;
}
