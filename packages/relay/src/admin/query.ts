/** Query parameters as the API spells them, plus the source where there are several. */
export type Query = Readonly<Record<string, string | undefined>>;

/** The command that an operator runs when a subscription is off. */
export const switchOnCommand = '`subscriptions on ID`';
