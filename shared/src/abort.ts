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

/** The result of the work; rejects with the signal's reason if it aborts first. */
export function unlessAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return work;
  return new Promise<T>((resolve, reject) => {
    if (signal.aborted) reject(signal.reason);
    const leave = onAbort(signal, () => reject(signal.reason));
    work.then(resolve, reject).finally(leave);
  });
}

/** The abort reason when no caller waits. It is a string, since an Error would cost a stack. */
export const noCallerLeftReason = 'not needed any more';
