/** What is asked for, as the query of the API spells it, and the source where there are several. */
export type Query = Readonly<Record<string, string | undefined>>;

/** What whoever runs the relay does about a subscription that is off. */
export const switchOnCommand = '`subscriptions on ID`';
