/** As much of the package `redis` as a store of tokens needs. */
export const createClient = (_options: { readonly url: string | undefined }) => {
  const entries = new Map<string, string>();
  const client = {
    get: async (key: string) => entries.get(key),
    async set(key: string, text: string, { expiration }: { readonly expiration: object }) {
      if (!('value' in expiration)) throw new Error('A token without an expiry is kept for ever.');
      entries.set(key, text);
    },
  };
  return { connect: async () => client };
};
