/** Many calls at once with the limit off, in a process that may open only so many files. */
import { apiKey, createClient, ScreenAdvertisingError } from '@screen-advertising/core';
import { undiciTransport } from '@screen-advertising/core/undici';

const [baseUrl = '', calls = '', kind = '', maxConnections = ''] = process.argv.slice(2);
const transport =
  kind === 'undici'
    ? undiciTransport(maxConnections ? { maxConnections: Number(maxConnections) } : undefined)
    : undefined;
const client = createClient({
  baseUrl,
  auth: apiKey('svc_key'),
  ...(transport && { transport }),
  rateLimit: false,
  ...(maxConnections && { retry: false }),
});

const outcomes = await Promise.all(
  Array.from({ length: Number(calls) }, () =>
    client.users.lookup({ email: 'lead@example.com' }).then(
      () => 'done',
      (error: unknown) => error,
    ),
  ),
);
await transport?.close();
const failures = outcomes.filter((outcome) => ScreenAdvertisingError.isInstance(outcome));
const [first] = failures;
process.stdout.write(
  JSON.stringify({
    done: outcomes.filter((outcome) => outcome === 'done').length,
    failed: failures.length,
    ...(first && { first: { ...first, message: first.message } }),
  }),
);
