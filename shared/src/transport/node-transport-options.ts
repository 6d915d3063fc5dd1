/** The used part of an `Agent` of `node:http` or `node:https`. */
interface NodeAgent {
  /** The most connections to one host. */
  readonly maxSockets: number;
  /** Closes its connections. */
  destroy(): void;
}

/** The options of `nodeTransport`. */
export interface NodeTransportOptions {
  /**
   * For your own proxy or certificate authority; the caller destroys it. It should close idle
   * connections before the service does (`keepAlive: false`, or a `timeout` of some seconds).
   * Default: keeps idle connections for 4 seconds, and uses the proxy of the environment where
   * Node.js does (`NODE_USE_ENV_PROXY`).
   */
  readonly agent?: NodeAgent;
}
