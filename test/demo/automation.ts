import type { Sandbox } from '@screen-advertising/sandbox';
import { type OpenPlatform, runAutomation } from '../platforms/automation.ts';
import type { Narrator } from './narrator.ts';

type Fields = Readonly<Record<string, unknown>>;

/** The automation that most marketers ask for first, on one platform. */
export async function runOnPlatform(
  narrator: Narrator,
  sandbox: Sandbox,
  baseUrl: string,
  open: OpenPlatform,
  title: string,
): Promise<void> {
  narrator.chapter(`The same automation through ${title}`);
  sandbox.reset();
  const platform = await open(baseUrl, sandbox.accesses[0]);
  try {
    const records = await runAutomation(sandbox, platform);
    const tell = (step: string, record: unknown, words: (fields: Fields) => string) =>
      narrator.step(step, async () => fieldsOf(step, record), words);
    await tell(
      'A campaign request is rejected',
      records.rejection,
      ({ type, data }) => `${type} starts the automation for ${(data as Fields).email}`,
    );
    await tell(
      'Look the user up',
      records.user,
      ({ user_id, has_bookings }) => `${user_id}, ${has_bookings ? 'has' : 'has no'} bookings`,
    );
    await tell(
      'Create a coupon',
      records.coupon,
      ({ code, discount_value, lead_email }) => `${code}, ${discount_value} % for ${lead_email}`,
    );
    await tell(
      'The coupon is redeemed',
      records.redemption,
      ({ type, data }) => `${type} arrives for ${(data as Fields).code}`,
    );
    await tell('Create a landing link', records.link, ({ url }) => String(url));
  } finally {
    await platform.close();
  }
}

function fieldsOf(step: string, record: unknown): Fields {
  if (typeof record === 'object' && record !== null) return record as Fields;
  throw new Error(`${step}: the platform gave no record.`);
}
