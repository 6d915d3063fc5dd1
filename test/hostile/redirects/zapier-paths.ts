import { createZapierRunner } from '../../zapier/app/runner.ts';
import { startZapierBackend } from '../../zapier/app/zapier-backend.ts';
import { type Path, type Paths, secrets, unusedAccess } from './path.ts';

const { key, token } = secrets;
const session = { access_token: token, renew_at: '2999-01-01T00:00:00Z' };

/** Calls, the session, and the picture of a screen, which follows redirects. */
export async function zapierPaths(): Promise<Paths> {
  const { event, close } = await startZapierBackend();
  const withKey = (baseUrl: string) =>
    createZapierRunner({ baseUrl, credentials: { apiKey: key }, event });
  const withToken = (baseUrl: string, fields = session) =>
    createZapierRunner({ baseUrl, credentials: unusedAccess(), fields, event });
  const picture = (baseUrl: string) => ({ inputData: { url: `${baseUrl}/pictures/1.svg` } });
  const paths: Path[] = [
    {
      name: 'a call with an API key in Zapier',
      send: (baseUrl) => withKey(baseUrl).create('create_coupon', coupon),
    },
    {
      name: 'a call with a token in Zapier',
      send: (baseUrl) => withToken(baseUrl).create('create_coupon', coupon),
    },
    {
      name: 'a token in Zapier',
      send: (baseUrl) => withToken(baseUrl).run('authentication.sessionConfig.perform'),
    },
    {
      name: 'a picture with an API key in Zapier',
      send: (baseUrl) => withKey(baseUrl).run(download, picture(baseUrl)),
    },
    {
      name: 'a picture with a token in Zapier',
      send: (baseUrl) => withToken(baseUrl).run(download, picture(baseUrl)),
    },
  ];
  return { paths, close };
}

const download = 'hydrators.downloadThumbnail';
const coupon = { discount_type: 'free_days', discount_value: 2, lead_email: 'lead@example.com' };
