/** What promises the most, in parts that run one by one, each with the tests that are about it. */

const parts = {
  webhooks: { sources: ['shared/src/webhooks/*.ts'], tests: ['webhooks'] },
  retry: {
    sources: [
      'shared/src/client/{recovery,retry-after}.ts',
      'shared/src/catalogue/coupon-recovery.ts',
    ],
    tests: ['client', 'transport'],
  },
  token: {
    sources: ['shared/src/client/{token-source,request-token,shared-work}.ts'],
    tests: ['client'],
  },
  limiter: { sources: ['shared/src/client/rate-limit.ts'], tests: ['client'] },
  pages: { sources: ['shared/src/client/pages.ts'], tests: ['client'] },
};

const name = process.env.MUTATE ?? 'webhooks';
if (!Object.hasOwn(parts, name)) {
  throw new Error(`MUTATE must name one of ${Object.keys(parts).join(', ')}; it is ${name}.`);
}

export const part = { name, ...parts[name] };
