import { runInNewContext } from 'node:vm';
import { describe, expect, it } from '@jest/globals';
import { openInspector } from './support.ts';

type Data = Readonly<Record<string, string>>;

/** An element with these `data-` attributes, which is inside no other. */
class Element {
  readonly dataset: Data;
  constructor(dataset: Data) {
    this.dataset = dataset;
  }
  closest(selector: string): Element | null {
    return Object.keys(this.dataset).some((name) => selector === `[data-${name}]`) ? this : null;
  }
}

class HTMLFormElement extends Element {
  readonly action = 'http://127.0.0.1/inspector/actions/add-screen';
  /** The entries of the person. */
  fields: [name: string, value: string][] = [['city', 'Wien']];
  reset(): void {
    this.fields = [];
  }
}

/** What the service returns for a form: a page with its notice. */
const answered = (ok: boolean, className: string, textContent: string) => ({
  ok,
  text: async () => ({ className, textContent }),
});

type Answer = Promise<{ readonly ok: boolean }>;

/** Just enough of a browser for the script to start, to refresh, to copy, and to send forms. */
async function openPage() {
  const timers: (() => void)[] = [];
  const answers: ((outcome: Answer) => void)[] = [];
  const sent: [url: string, fields: string][] = [];
  const notices: { className: string; textContent: string }[] = [];
  const questions: string[] = [];
  const listeners = new Map<string, (event: unknown) => void>();
  const clipboard = { text: '', isAllowed: true };
  const document = {
    hidden: false,
    documentElement: { classList: { add: () => undefined }, dataset: { refreshMs: '1000' } },
    querySelector: () => null,
    querySelectorAll: () => [],
    createElement: () => ({}),
    getElementById: () => ({ replaceChildren: notices.push.bind(notices) }),
    addEventListener: listeners.set.bind(listeners),
  };
  const page = {
    document,
    Element,
    HTMLElement: Element,
    HTMLFormElement,
    URLSearchParams,
    FormData: class {
      constructor(form: HTMLFormElement) {
        Object.assign(this, { [Symbol.iterator]: () => form.fields.values() });
      }
    },
    DOMParser: class {
      parseFromString = (notice: unknown) => ({ querySelector: () => notice });
    },
    navigator: {
      clipboard: {
        async writeText(text: string) {
          if (!clipboard.isAllowed) throw new Error('Not allowed.');
          clipboard.text = text;
        },
      },
    },
    confirm: (question: string) => questions.push(question) > 1,
    location: { href: 'http://127.0.0.1/' },
    setTimeout: (run: () => void) => timers.push(run),
    fetch: (url: string, request?: { readonly body: unknown }) => {
      if (request) sent.push([url, String(request.body)]);
      return new Promise((resolve) => answers.push(resolve));
    },
  };
  runInNewContext(await openInspector().html('/inspector/script.js'), page);
  const settled = () => new Promise((resolve) => setImmediate(resolve));
  return {
    document,
    timers,
    answers,
    sent,
    notices,
    questions,
    clipboard,
    /** Fires the oldest timer, and everything that follows from it at once. */
    async wait() {
      timers.shift()?.();
      await settled();
    },
    /** Does what a person does with an element. The browser then does nothing itself. */
    async does(type: 'click' | 'submit', target: Element, answer?: Answer) {
      let isPrevented = false;
      const preventDefault = () => {
        isPrevented = true;
      };
      listeners.get(type)?.({ target, submitter: null, preventDefault });
      if (answer) answers.shift()?.(answer);
      await settled();
      return isPrevented;
    },
  };
}

describe('an open page', () => {
  it('refreshes only after the last refresh has ended, even with an error', async () => {
    const { timers, answers, wait } = await openPage();
    await wait();
    expect([answers.length, timers.length]).toEqual([1, 0]);
    answers[0]?.(Promise.resolve({ ok: false }));
    await wait();
    expect(timers).toHaveLength(1);
    await wait();
    expect(answers).toHaveLength(2);
    answers[1]?.(Promise.reject(new Error('The sandbox is gone.')));
    await wait();
    expect(timers).toHaveLength(1);
  });

  it('sends no request while it is hidden, and continues afterwards', async () => {
    const { document, answers, wait } = await openPage();
    document.hidden = true;
    await wait();
    expect(answers).toEqual([]);
    document.hidden = false;
    await wait();
    expect(answers).toHaveLength(1);
  });
});

describe('a button that copies', () => {
  it('copies its value, and says so', async () => {
    const { clipboard, notices, does } = await openPage();
    await does('click', new Element({ copy: 'svc_key' }));
    expect(clipboard.text).toBe('svc_key');
    expect(notices).toEqual([{ className: 'notice done', textContent: 'Copied.' }]);
  });

  it('says what to do if the browser does not allow it', async () => {
    const { clipboard, notices, does } = await openPage();
    clipboard.isAllowed = false;
    await does('click', new Element({ copy: 'svc_key' }));
    const textContent = 'The browser did not allow copying. Select the text and copy it.';
    expect(notices).toEqual([{ className: 'notice refused', textContent }]);
  });

  it('is the only thing that copies', async () => {
    const { clipboard, notices, does } = await openPage();
    await does('click', new Element({}));
    expect([clipboard.text, notices]).toEqual(['', []]);
  });
});

describe('a form', () => {
  it('is sent without leaving the page, which shows the notice', async () => {
    const { sent, notices, does } = await openPage();
    const form = new HTMLFormElement({ send: '' });
    const answer = Promise.resolve(answered(true, 'done', 'Screen added.'));
    expect(await does('submit', form, answer)).toBe(true);
    expect(sent).toEqual([['http://127.0.0.1/inspector/actions/add-screen', 'city=Wien']]);
    expect(notices).toEqual([{ className: 'notice done', textContent: 'Screen added.' }]);
    expect(form.fields).toEqual([['city', 'Wien']]);
  });

  it.each([
    [true, []],
    [false, [['city', 'Wien']]],
  ])('that clears is empty once its action succeeded: %s', async (ok, fields) => {
    const { does } = await openPage();
    const form = new HTMLFormElement({ send: '', clears: '' });
    await does('submit', form, Promise.resolve(answered(ok, 'done', 'Read.')));
    expect(form.fields).toEqual(fields);
  });

  it('says that nothing responds, and keeps what was entered', async () => {
    const { notices, does } = await openPage();
    const form = new HTMLFormElement({ send: '', clears: '' });
    await does('submit', form, Promise.reject(new Error('The sandbox is gone.')));
    const textContent = 'No response. Is the program still running?';
    expect(notices).toEqual([{ className: 'notice refused', textContent }]);
    expect(form.fields).toEqual([['city', 'Wien']]);
  });

  it('with a question is sent only if the person confirms it', async () => {
    const { sent, questions, does } = await openPage();
    const form = new HTMLFormElement({ send: '', confirm: 'Reset everything?' });
    await does('submit', form);
    expect([sent.length, questions]).toEqual([0, ['Reset everything?']]);
    await does('submit', form);
    expect(sent).toHaveLength(1);
  });

  it('that the browser sends is left to it', async () => {
    const { sent, does } = await openPage();
    expect(await does('submit', new HTMLFormElement({}))).toBe(false);
    expect(sent).toEqual([]);
  });
});
