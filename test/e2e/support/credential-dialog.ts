import type { Locator } from 'playwright-core';
import type { Editor, Rectangle } from './editor.ts';

/** n8n's dialog of a credential as a person uses it. */
export class CredentialDialog {
  readonly #editor: Editor;
  readonly #modal: Locator;

  constructor(editor: Editor) {
    this.#editor = editor;
    this.#modal = editor.page.getByTestId('editCredential-modal');
  }

  async opened(): Promise<void> {
    await this.#fields.first().waitFor();
  }

  async fill(data: Readonly<Record<string, string>>): Promise<void> {
    for (const [field, value] of Object.entries(data)) await this.#editor.fill(field, value);
  }

  /** Saves, which makes n8n test the credential. Returns the result once n8n shows it. */
  async test(): Promise<string> {
    const { page } = this.#editor;
    const tested = page.waitForResponse((response) =>
      response.url().endsWith('/rest/credentials/test'),
    );
    await this.#save.or(this.#retry).first().click();
    const { data } = (await (await tested).json()) as { data: { status: string; message: string } };
    const isRefused = data.status === 'Error';
    const said = isRefused ? await this.#error(data.message) : this.#success;
    await said.waitFor();
    // Until then n8n shows that it is still testing.
    await this.#retry.waitFor();
    return ((await said.textContent()) ?? '').trim();
  }

  /** Tries to save with an empty field, which n8n refuses. Returns the message it shows. */
  async refusedToSave(): Promise<string> {
    await this.#modal.getByTestId('credential-save-button').click();
    const note = this.#modal.getByText('This field is required');
    await note.waitFor();
    return ((await note.textContent()) ?? '').replace('Open docs', '').trim();
  }

  async picture(name: string): Promise<void> {
    await this.#editor.picture(name, () => this.#own());
  }

  get #save(): Locator {
    return this.#modal.getByTestId('credential-save-button').locator('button:enabled');
  }

  get #retry(): Locator {
    return this.#modal.getByText('Retry', { exact: true }).filter({ visible: true });
  }

  /** n8n collapses an error, unless it replaces one that is expanded. */
  async #error(message: string): Promise<Locator> {
    const said = this.#modal.getByText(message, { exact: true });
    const more = this.#modal.getByText('More details');
    await said.or(more).first().waitFor();
    if (await more.isVisible()) await more.click();
    return said;
  }

  get #success(): Locator {
    return this.#modal.getByText('Connection tested successfully').filter({ visible: true });
  }

  get #fields(): Locator {
    return this.#modal.getByTestId('credential-connection-parameter');
  }

  /** The dialog down to the last field of the credential itself; n8n adds some to each. */
  async #own(): Promise<Rectangle> {
    const modal = await this.#modal.boundingBox();
    const last = await this.#fields
      .filter({ hasNotText: 'Allowed HTTP Request Domains' })
      .last()
      .boundingBox();
    if (!modal || !last) throw new Error('The dialog of a credential is closed.');
    return { ...modal, height: last.y + last.height + 24 - modal.y };
  }
}
