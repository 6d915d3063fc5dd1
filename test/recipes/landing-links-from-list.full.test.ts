import { expect, it } from '@jest/globals';
import type { Sandbox } from '@screen-advertising/sandbox';
import { onPlatforms } from './on-platforms.ts';

const rowOf = (Campaign: string, Content: string, Link: unknown = '') => ({
  Campaign,
  Content,
  Link,
});

onPlatforms('landing-links-from-list', (open, platform) => {
  it('each row without a link gets its own', async () => {
    const { recipe } = await open();
    const rows = [rowOf('spring', 'newsletter'), rowOf('spring', 'poster')];
    expect(await recipe.start(rows)).toMatchObject({
      handedOver: [
        rowOf('spring', 'newsletter', linkOf('spring', 'newsletter')),
        rowOf('spring', 'poster', linkOf('spring', 'poster')),
      ],
    });
  });

  it('rows that have a link, or name no campaign, stay unchanged', async () => {
    const { sandbox, recipe } = await open();
    const rows = [
      rowOf('winter', 'poster', 'https://service.example/earlier'),
      rowOf('', 'poster'),
    ];
    expect(await recipe.start(rows)).toEqual({ handedOver: [] });
    expect(linksCreated(sandbox)).toBe(0);
  });

  it('an empty list does not fail', async () => {
    const { recipe } = await open();
    expect(await recipe.start([])).toEqual({ handedOver: [] });
  });

  it('a row that fails does not stop the others from getting links, and says why', async () => {
    const { sandbox, recipe } = await open();
    sandbox.faults.add({ fault: 'status', status: 400, path: '/landing-links', times: 1 });
    const outcome = await recipe.start([rowOf('spring', 'newsletter'), rowOf('spring', 'poster')]);
    const links = outcome.handedOver.filter(({ Link }) => Link !== '');
    expect(links).toMatchObject([{ Link: linkOf('spring', '') }]);
    const reason =
      platform === 'n8n'
        ? outcome.handedOver.find(({ Link }) => Link === '')?.Note
        : outcome.failure;
    expect(reason).toMatch(/landing link/i);
  });
});

function linkOf(campaign: string, content: string) {
  return expect.stringContaining(`utm_campaign=${campaign}&utm_content=${content}`);
}

function linksCreated({ journal }: Sandbox): number {
  return journal.list().filter(({ path }) => path.endsWith('/landing-links')).length;
}
