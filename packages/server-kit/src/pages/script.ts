import type { Idiomorph as Library } from 'idiomorph';

/** Defined by the script that the page loads first. */
declare const Idiomorph: typeof Library;

/**
 * Runs in the browser. Its source text is served, so it must not use anything else from outside.
 * All pages work without it; with it, they refresh, forms keep their place, and values can be
 * copied.
 */
export function pageScript(): void {
  const page = document.documentElement;
  const notice = (text: string, kind: string): void => {
    const box = document.createElement('p');
    box.className = `notice ${kind}`;
    box.textContent = text;
    document.getElementById('notice')?.replaceChildren(box);
  };

  const isSelectedIn = (part: Element): boolean => {
    const selection = getSelection();
    return selection?.isCollapsed === false && part.contains(selection.anchorNode);
  };

  const callbacks = {
    /** Values that were entered or chosen here stay. */
    beforeNodeMorphed: (node: Node): boolean =>
      !(node instanceof Element && node.matches('input:not([type=hidden]), select, textarea')),
    /** The server does not know which details are open here. */
    beforeAttributeUpdated: (name: string, element: Element): boolean =>
      !(name === 'open' && element instanceof HTMLDetailsElement),
  };

  const updateParts = (text: string): Document => {
    const fresh = new DOMParser().parseFromString(text, 'text/html');
    // A button that moves while it is pressed gets no click.
    const isPressed = document.querySelector(':active') !== null;
    for (const part of isPressed ? [] : document.querySelectorAll('[data-live]')) {
      const match = fresh.getElementById(part.id);
      // Moved text is no longer selected.
      if (match && !isSelectedIn(part)) Idiomorph.morph(part, match, { callbacks });
    }
    return fresh;
  };

  const refresh = async (): Promise<void> => {
    if (document.hidden) return;
    const response = await fetch(location.href);
    if (response.ok && !response.redirected) updateParts(await response.text());
  };

  const send = async (form: HTMLFormElement, submitter: HTMLElement | null): Promise<void> => {
    const fields = new URLSearchParams();
    for (const [name, value] of new FormData(form, submitter)) {
      if (typeof value === 'string') fields.append(name, value);
    }
    try {
      const response = await fetch(form.action, { method: 'POST', body: fields });
      const message = updateParts(await response.text()).querySelector('#notice p');
      notice(message?.textContent ?? 'The request was refused.', message?.className ?? 'refused');
      if (response.ok && 'clears' in form.dataset) form.reset();
    } catch {
      notice('No response. Is the program still running?', 'refused');
    }
  };

  page.classList.add('script');
  // On a phone the navigation scrolls. Unlike scrollIntoView, this leaves the keyboard at the top.
  const current = document.querySelector('[aria-current=page]');
  const tabs = current?.closest('ul');
  if (current && tabs) {
    tabs.scrollLeft = current.getBoundingClientRect().right - tabs.getBoundingClientRect().right;
  }

  document.addEventListener('submit', (event) => {
    const form = event.target;
    if (!(form instanceof HTMLFormElement) || !('send' in form.dataset)) return;
    event.preventDefault();
    const question = form.dataset.confirm;
    if (question === undefined || confirm(question)) void send(form, event.submitter);
  });

  document.addEventListener('click', (event) => {
    const button = event.target instanceof Element ? event.target.closest('[data-copy]') : null;
    if (!(button instanceof HTMLElement)) return;
    navigator.clipboard.writeText(button.dataset.copy ?? '').then(
      () => notice('Copied.', 'done'),
      () => notice('The browser did not allow copying. Select the text and copy it.', 'refused'),
    );
  });

  /** Scheduled only after the last refresh has ended, so that slow pages do not pile up. */
  const follow = async (): Promise<void> => {
    await refresh().catch(() => undefined);
    schedule();
  };
  const schedule = () => setTimeout(() => void follow(), Number(page.dataset.refreshMs));
  schedule();
}
