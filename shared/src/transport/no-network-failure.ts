/** `#network-failure` in browsers and workers, whose errors have no codes. */
export function networkFailure(): undefined {}
