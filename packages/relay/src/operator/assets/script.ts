import type { Idiomorph as Library } from 'idiomorph';

/** Defined by the script that the page loads first. */
declare const Idiomorph: typeof Library;

/**
 * Runs in the browser. Its source text is served, so it must not use anything else from outside.
 * All pages work without it; with it, they refresh, and values can be copied.
 */
export function operatorScript(): void {
  const refreshMs = 3000;
  const notice = (text: string, kind: 'done' | 'refused'): void => {
    const box = document.createElement('p');
    box.className = `notice ${kind}`;
    box.textContent = text;
    document.getElementById('notice')?.replaceChildren(box);
  };

  /** A button that moves while it is pressed gets no click, and moved text is no longer selected. */
  const isInUse = (part: Element): boolean => {
    const selection = getSelection();
    const isSelected = selection?.isCollapsed === false && part.contains(selection.anchorNode);
    return isSelected || document.querySelector(':active') !== null;
  };

  const callbacks = {
    /** What was entered or chosen here stays. */
    beforeNodeMorphed: (node: Node): boolean =>
      !(node instanceof Element && node.matches('input:not([type=hidden]), select, textarea')),
    /** The relay does not know which details are open here. */
    beforeAttributeUpdated: (name: string, element: Element): boolean =>
      !(name === 'open' && element instanceof HTMLDetailsElement),
  };

  const refresh = async (part: Element): Promise<void> => {
    if (document.hidden) return;
    const response = await fetch(location.href);
    if (!response.ok || response.redirected) return;
    const fresh = new DOMParser().parseFromString(await response.text(), 'text/html');
    const match = fresh.getElementById(part.id);
    if (match && !isInUse(part)) Idiomorph.morph(part, match, { callbacks });
  };

  document.documentElement.classList.add('script');
  // On a phone the navigation scrolls. Unlike scrollIntoView, this leaves the keyboard at the top.
  const current = document.querySelector('[aria-current=page]');
  const tabs = current?.closest('ul');
  if (current && tabs) {
    tabs.scrollLeft = current.getBoundingClientRect().right - tabs.getBoundingClientRect().right;
  }

  document.addEventListener('click', (event) => {
    const button = event.target instanceof Element ? event.target.closest('[data-copy]') : null;
    if (!(button instanceof HTMLElement)) return;
    navigator.clipboard.writeText(button.dataset.copy ?? '').then(
      () => notice('Copied.', 'done'),
      () => notice('The browser did not allow copying. Select the text and copy it.', 'refused'),
    );
  });

  /** Scheduled only after the last refresh has ended, so that slow pages do not pile up. */
  const follow = async (part: Element): Promise<void> => {
    await refresh(part).catch(() => undefined);
    setTimeout(() => void follow(part), refreshMs);
  };
  const live = document.querySelector('[data-live]');
  if (live) setTimeout(() => void follow(live), refreshMs);
}
