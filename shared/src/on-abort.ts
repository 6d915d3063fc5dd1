interface Group {
  readonly listeners: Set<() => void>;
  readonly fire: () => void;
}

const groups = new WeakMap<AbortSignal, Group>();

/**
 * Calls a listener when the signal aborts. Returns what removes it. All calls with one signal share
 * one listener on it, since Node.js 20 warns from the eleventh on.
 */
export function onAbort(signal: AbortSignal | undefined, listener: () => void): () => void {
  if (!signal) return () => undefined;
  const group = groups.get(signal) ?? groupOf(signal);
  const { listeners, fire } = group;
  if (listeners.size === 0) signal.addEventListener('abort', fire, { once: true });
  listeners.add(listener);
  return () => {
    if (listeners.delete(listener) && listeners.size === 0) {
      signal.removeEventListener('abort', fire);
    }
  };
}

function groupOf(signal: AbortSignal): Group {
  const listeners = new Set<() => void>();
  const fire = (): void => {
    for (const listener of listeners) listener();
  };
  const group = { listeners, fire };
  groups.set(signal, group);
  return group;
}
