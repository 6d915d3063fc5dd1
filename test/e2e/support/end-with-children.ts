/** Import it for that: Ctrl-C ends this process, and thereby what it started. */
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
