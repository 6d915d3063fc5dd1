import { ConfigurationError } from '@screen-advertising/core';
import { accessVariables } from '@screen-advertising/core/platform';

/** Starts a sandbox. It is a package of its own, which only those who ask for it need. */
export async function startSandbox() {
  const { createSandbox } = await import('@screen-advertising/sandbox').catch(missing);
  const sandbox = createSandbox();
  const { url, baseUrl } = await sandbox.listen();
  const [{ apiKey }] = sandbox.accesses;
  return {
    /** Its page in the browser. */
    url,
    /** The environment that leads to its first access. */
    env: { [accessVariables.baseUrl]: baseUrl, [accessVariables.apiKey]: apiKey },
    close: () => sandbox.close(),
  };
}

function missing(): never {
  const words =
    '--with-sandbox needs Node 22 or newer and the package @screen-advertising/sandbox. Install it next to this one.';
  throw new ConfigurationError('with-sandbox', words);
}
