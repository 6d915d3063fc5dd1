import type { Place } from './history.ts';
import type { Scene } from './scene.ts';

/** Lists what a token may see. One that may only subscribe sees nothing of another's. */
export async function readOthers({ scene, place }: { scene: Scene; place: Place }): Promise<void> {
  const { history } = scene;
  const other = scene.anyPlace();
  const id = scene.idOf(other);
  // The first token may manage.
  if (place.token === 0 || other.token === place.token || id === undefined) return;
  const read = (path: string) => scene.call(place.token, 'GET', path);
  const [one, deliveries, listed] = await Promise.all([
    read(`/subscriptions/${id}`),
    read('/deliveries?limit=200'),
    read('/subscriptions'),
  ]);
  // One that was pruned meanwhile does not exist.
  if (one && ![403, 404].includes(one.status))
    history.seen.push(`${id} was shown to another token`);
  const shown = [...(deliveries?.body.data ?? []), ...(listed?.body.data ?? [])];
  const known = new Map(history.puts.map((put) => [put.id, put.token]));
  for (const { id: own, subscription_id = own } of shown) {
    const owner = known.get(/^sub_[0-9a-f]+/.exec(subscription_id)?.[0] ?? '');
    if (owner !== undefined && owner !== place.token) {
      history.seen.push(`${own} of token ${owner} was listed for token ${place.token}`);
    }
  }
}
