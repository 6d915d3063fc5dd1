import { formsIn } from '../../../support/secret-forms.ts';
import { watch } from '../../../taint/watch.ts';
import { describeMatrix } from '../describe-matrix.ts';
import { type Played, type RelayCell, type RelayPlayer, relayCells } from './relay-cell.ts';
import { RelayWorld } from './relay-world.ts';
import { expected, longestMs } from './rule.ts';

/** Longer than any sentence with a quote in it. */
const longestText = 1_200;
/** Static data that n8n reads and writes with each delivery. */
const mostStored = 2_000;

/** Every request of a connector to the relay goes by the rule. */
export function describeRelay(name: string, { calls, open, close }: RelayPlayer): void {
  describeMatrix<RelayCell, RelayWorld>(name, {
    cells: relayCells(calls),
    async open(service, time) {
      await open?.();
      return new RelayWorld(service, time);
    },
    play: async (world, cell) => faultsFound(world, cell, await cell.call.play(world)),
    ...(close && { close }),
  });
}

/** What is wrong with how a cell went. */
function faultsFound(world: RelayWorld, cell: RelayCell, played: Played): string[] {
  const { ends, code } = expected(cell);
  const { text, shown, stored = '' } = played;
  const leaks = [...formsIn(shown, ...world.secrets), ...formsIn(text, ...world.secrets)];
  const watched = watch.take();
  return [
    ...(ends !== undefined && played.ends !== ends ? [`it ${played.ends}: ${text}`] : []),
    ...(played.ends === 'fails' ? faultsOfText(played) : []),
    ...(played.code !== undefined && code !== undefined && played.code !== code
      ? [`the code is ${played.code}, not ${code}`]
      : []),
    ...(leaks.length > 0 ? [`shows the key: ${leaks.join(', ')}`] : []),
    ...(watched.length > 0 ? [`the watch over secrets found ${watched.join(', ')}`] : []),
    ...(stored.length > mostStored ? [`stores ${stored.length} characters`] : []),
    ...(world.hangs ? ['it waits without a limit'] : []),
    ...(world.elapsed > longestMs(cell) ? [`it takes ${world.elapsed} ms`] : []),
  ];
}

function faultsOfText({ text, isTyped }: Played): string[] {
  return [
    ...(isTyped ? [] : [`an untyped error: ${text}`]),
    ...(text.length > 20 && text.length <= longestText
      ? []
      : [`a text of ${text.length} characters`]),
    ...(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(text)
      ? [`control characters in ${JSON.stringify(text)}`]
      : []),
  ];
}
