import { ConfigurationError } from '@screen-advertising/core';
import { accessVariables } from '@screen-advertising/core/platform';

/** Starts a sandbox. It is a separate package, needed only with this option. */
export async function startSandbox() {
  const { createSandbox } = await import('@screen-advertising/sandbox').catch(missing);
  const sandbox = createSandbox();
  const { url, baseUrl } = await sandbox.listen();
  const [{ apiKey }] = sandbox.accesses;
  return {
    /** Its page in the browser. */
    url,
    /** The environment variables that select its first access. */
    env: { [accessVariables.baseUrl]: baseUrl, [accessVariables.apiKey]: apiKey },
    close: () => sandbox.close(),
  };
}

function missing(): never {
  const words =
    '--with-sandbox needs Node 22 or newer and the package @screen-advertising/sandbox. Install it next to this one.';
  throw new ConfigurationError('with-sandbox', words);
}
