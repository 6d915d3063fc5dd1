import { generate } from 'selfsigned';

export const year = 365 * 24 * 3_600_000;

export type Pair = Readonly<{ key: string; cert: string }>;

/** A key with its certificate, signed by `ca` or with its own key. */
export async function pair(
  names: readonly string[],
  options: { ca?: Pair; isAuthority?: boolean; endedAgo?: number } = {},
): Promise<Pair> {
  const { ca, isAuthority = false, endedAgo } = options;
  const end = endedAgo === undefined ? Date.now() + year : Date.now() - endedAgo;
  const { private: key, cert } = await generate([{ name: 'commonName', value: names[0] ?? '' }], {
    algorithm: 'sha256',
    notBeforeDate: new Date(end - 2 * year),
    notAfterDate: new Date(end),
    ...(ca && { ca: { key: ca.key, cert: ca.cert } }),
    extensions: [
      { name: 'basicConstraints', cA: isAuthority },
      { name: 'subjectAltName', altNames: names.map((value) => ({ type: 2, value })) },
    ],
  });
  return { key, cert };
}
