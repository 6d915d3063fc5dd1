/** Importing this makes Ctrl-C end the process together with what it started. */
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
