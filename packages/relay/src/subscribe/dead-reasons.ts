/** Why a delivery is dead whose subscriber ended its subscription, and did not come back in time. */
export const reasonUnsubscribed = 'unsubscribed';

/** Why one is dead, or was ignored, whose event its subscriber does not want. */
export const reasonNotDesired = 'not_wanted';

/** Why a delivery is dead because its subscription stopped: one that replaces it still gets them. */
export const reasonsOfStop: readonly string[] = ['gone', reasonUnsubscribed];
