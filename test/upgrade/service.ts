import { createSandbox, type Sandbox } from '@screen-advertising/sandbox';
import { closeAfterTest } from '../support/closing.ts';
import { eventually } from '../support/eventually.ts';

/** Below the ports that systems hand out, so only another run of these tests takes it. */
const port = 21_876;
/** What the recorded subscriptions deliver to. */
export const targetPort = port + 1;
export const baseUrl = `http://127.0.0.1:${port}/api/v1`;

/**
 * The service, with the records of the file. It always has the same address: most of the stored
 * state holds a hash of the base URL, and with another one every trigger rightly starts again.
 */
export async function openService(stateFile: string): Promise<Sandbox> {
  const startAt = '2027-03-01T09:00:00Z';
  const sandbox = createSandbox({ clock: 'frozen', startAt, screens: 12, stateFile });
  closeAfterTest(() => sandbox.close());
  await eventually(
    () =>
      sandbox.listen({ port }).then(
        () => true,
        () => false,
      ),
    `port ${port} of this machine is free`,
  );
  return sandbox;
}

export const screenId = 'scr_berlin_0001';

/** Sets the available share of the screen from now on, in percent. */
export function setAvailable(sandbox: Sandbox, available: number): void {
  const shares = { ad_sov_pct: 100, used_sov_pct: 100 - available };
  sandbox.screens.add({ id: screenId, ...shares });
}
