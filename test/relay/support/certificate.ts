import { generate } from 'selfsigned';

export type Pair = Readonly<{ key: string; cert: string }>;

/** A key with its certificate, signed by `ca` or with its own key. */
export async function pair(
  names: readonly string[],
  { ca, isAuthority = false }: { ca?: Pair; isAuthority?: boolean } = {},
): Promise<Pair> {
  const { private: key, cert } = await generate([{ name: 'commonName', value: names[0] ?? '' }], {
    algorithm: 'sha256',
    ...(ca && { ca: { key: ca.key, cert: ca.cert } }),
    extensions: [
      { name: 'basicConstraints', cA: isAuthority },
      { name: 'subjectAltName', altNames: names.map((value) => ({ type: 2, value })) },
    ],
  });
  return { key, cert };
}
