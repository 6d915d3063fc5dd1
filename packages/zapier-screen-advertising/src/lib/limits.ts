/** Milliseconds. Zapier ends a run after 30 s: what got no answer by then must have its error. */
export const deadlineMs = 25_000;

/** Milliseconds. A change whose answer is lost takes a second request: it is read back, or sent again. */
export const changeTimeoutMs = 12_000;

/** Screens whose availability one run asks for: the service allows 600 requests a minute, for all Zaps. */
export const mostScreens = 500;

/**
 * Seconds by which runs of many requests may wait longer than the service asks, at random: two that
 * came back at the same moment would use up each other's allowance again, and again.
 */
export const spreadSeconds = 40;

/** Bytes of a picture: far more than a thumbnail takes, far less than a run has memory for. */
export const largestAnswer = 8 * 1024 * 1024;

/** A service, its store of files and a network that delivers them point to each other no more often. */
export const mostRedirects = 5;
