import { RelayError } from '../../relay-error.ts';

export type RunningSandbox = Awaited<ReturnType<typeof startSandbox>>;

/** The access whose events it delivers. */
const access = 'full';

/** Runs the sandbox in this process. The relay does not depend on it, so it may not be installed. */
export async function startSandbox(port: number) {
  const { createSandbox } = await import('@screen-advertising/sandbox').catch((cause) => {
    throw new RelayError(
      'configuration',
      'The sandbox is not installed. Install it with: npm install @screen-advertising/sandbox',
      { cause },
    );
  });
  const sandbox = createSandbox();
  const { url } = await sandbox.listen(port).catch((cause) => {
    throw new RelayError(
      'configuration',
      `The sandbox did not start on port ${port}. Set SANDBOX_PORT to another, or to 0 for a free one.`,
      { cause },
    );
  });
  return {
    url,
    signingSecret: sandbox.accesses.find(({ id }) => id === access)?.signingSecret ?? '',
    /** Has every event delivered to this address. */
    register: (ingress: string) => void sandbox.webhooks.add({ url: ingress, access }),
    stop: () => sandbox.close(),
  };
}
