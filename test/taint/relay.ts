import { createRelay as create, type Log } from '../../packages/relay/src/index.ts';
import { watch } from './watch.ts';
import { watchResponsesOf } from './watch-responses.ts';

export * from '../../packages/relay/src/index.ts';

/** The real relay, with its log, its errors and its responses under watch. */
export const createRelay: typeof create = async (options = {}) => {
  const relay = await create({
    ...options,
    log: watched(options.log),
    onError(error) {
      watch.failure('an error of the relay', error);
      options.onError?.(error);
    },
  });
  const { listen } = relay;
  relay.listen = async (...at) => {
    const listening = await listen(...at);
    watchResponsesOf(listening.url);
    return listening;
  };
  return relay;
};

/** As it is given to a logger, which need not hide anything. */
function watched(log?: Log): Log {
  const level =
    (name: keyof Log): Log[keyof Log] =>
    (fields, text) => {
      watch.failure("the relay's log", { ...fields, text });
      log?.[name](fields, text);
    };
  return {
    debug: level('debug'),
    info: level('info'),
    warn: level('warn'),
    error: level('error'),
  };
}
