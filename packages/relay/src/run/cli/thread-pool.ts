/**
 * Node.js resolves a name in half of these threads, and reads this before the first use. With its
 * default of four, two names whose name servers are silent would stop every other lookup.
 */
process.env.UV_THREADPOOL_SIZE ??= '128';
