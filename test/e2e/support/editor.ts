import { mkdirSync } from 'node:fs';
import path from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { CredentialDialog } from './credential-dialog.ts';
import { owner } from './n8n-api.ts';
import { cache, images } from './paths.ts';

// Overwrites the guides' pictures only on request, because no two runs produce the same bytes.
const pictures = process.env.PICTURES === 'docs' ? images : path.join(cache, 'pictures');

export interface Rectangle {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** n8n's editor as a person uses it. */
export class Editor {
  readonly page: Page;
  readonly #url: string;

  constructor(page: Page, url: string) {
    this.page = page;
    this.#url = url;
  }

  async signIn(): Promise<void> {
    // n8n's switch for its debounce. By default a second change of a field counts only after 200 ms:
    // a click on Save before that saves the old value, or fails because a required field is empty.
    await this.page.addInitScript(() => sessionStorage.setItem('N8N_DEBOUNCE_MULTIPLIER', '0'));
    await this.page.goto(`${this.#url}/signin`);
    await this.page.getByRole('textbox', { name: /email/i }).fill(owner.email);
    await this.page.locator('input[type=password]').fill(owner.password);
    await this.page.keyboard.press('Enter');
    await this.page.waitForURL(/\/home/);
  }

  async newWorkflow(): Promise<void> {
    await this.page.goto(`${this.#url}/workflow/new`);
    await this.page.getByTestId('canvas-plus-button').waitFor();
  }

  async openWorkflow(id: string): Promise<void> {
    await this.page.goto(`${this.#url}/workflow/${id}`);
    await this.page.getByTestId('canvas-node').first().waitFor();
  }

  /** The panel of nodes, with what a search finds. */
  async search(text: string): Promise<void> {
    await this.page.getByTestId('canvas-plus-button').click();
    await this.page.getByTestId('node-creator-search-bar').fill(text);
    await this.page.getByTestId('node-creator-item-name').first().waitFor();
  }

  /** A triggers' or actions' entry of the node, from the panel; its fields open. */
  async add(section: 'Triggers' | 'Actions', entry: string): Promise<void> {
    await this.search('screen adv');
    await this.page.getByText('Screen Advertising', { exact: true }).first().click();
    if (section === 'Actions') await this.page.getByText(/^Actions \(\d+\)/).click();
    await this.page.getByText(entry, { exact: true }).click();
    await this.page.getByTestId('ndv').waitFor();
  }

  /** An empty form for a credential of this type. */
  async newCredential(type: string): Promise<CredentialDialog> {
    const { page } = this;
    await page.goto(new URL('home/credentials', this.#url).href);
    await page.getByTestId('add-resource-credential').first().click();
    await page.getByTestId('new-credential-type-select').locator('input').fill(type);
    await page.getByText(type, { exact: true }).first().click();
    await page.getByTestId('new-credential-type-button').click();
    const dialog = new CredentialDialog(this);
    await dialog.opened();
    return dialog;
  }

  async fill(name: string, value: string): Promise<void> {
    await this.field(name).locator('input').fill(value);
  }

  /** Opens the list of credentials that the node can have. */
  async showCredentials(): Promise<void> {
    await this.page.getByTestId('node-credentials-select').click();
    await this.page.getByText('Create new credential').waitFor();
  }

  field(name: string): Locator {
    return this.page.getByTestId(`parameter-input-${name}`);
  }

  /** Fields of a node without an explanation beside their label. */
  async unexplained(): Promise<string[]> {
    const labels = await this.page.getByTestId('node-parameters').locator('label[for]').all();
    const titles = await Promise.all(
      labels.map(async (label) =>
        (await label.locator('[data-icon=circle-help]').count()) > 0
          ? ''
          : await label.textContent(),
      ),
    );
    return titles.map((title) => title?.trim() ?? '').filter((title) => title !== '');
  }

  /** Rests the pointer on the sign beside a field's label, which shows the explanation. */
  async showHelp(field: string): Promise<void> {
    const label = this.page.locator(`label[for=${field}]`);
    await label.hover();
    await label.locator('[data-icon=circle-help]').hover();
  }

  /** Opens the webhook URLs of a trigger; gives the one for production. */
  async productionUrl(): Promise<string> {
    await this.page
      .getByTestId('node-parameters')
      .getByText('Webhook URLs', { exact: true })
      .click();
    await this.page.getByTestId('radio-button-production').click();
    return ((await this.page.getByText(/\/webhook\//).textContent()) ?? '').replaceAll(/\s/g, '');
  }

  async closeNode(): Promise<void> {
    await this.page.getByTestId('ndv-close-button').click();
  }

  /** Publishes what is open, once n8n has saved it. */
  async publish(): Promise<void> {
    await this.page.getByTestId('workflow-open-publish-modal-button').click();
    await this.page.getByTestId('workflow-publish-button').click();
    await this.page.getByText('Workflow published').waitFor();
  }

  async executeStep(): Promise<void> {
    await this.page.getByTestId('node-execute-button').first().click();
  }

  get output(): Locator {
    return this.page.getByTestId('output-panel');
  }

  /** A picture for the guides, of all that is seen or of a part of it. */
  async picture(name: string, part?: () => Promise<Rectangle>): Promise<void> {
    const file = path.join(pictures, `${name}.png`);
    mkdirSync(path.dirname(file), { recursive: true });
    await this.#dismissNotes();
    const clip = await part?.();
    await this.page.screenshot({ path: file, animations: 'disabled', ...(clip && { clip }) });
  }

  /** All at once, because notes also close on their own: one could be gone before its click. */
  async #dismissNotes(): Promise<void> {
    const notes = this.page.locator('.el-notification');
    await notes.locator('.el-notification__closeBtn').evaluateAll((buttons: HTMLElement[]) => {
      for (const button of buttons) button.click();
    });
    await this.page.waitForFunction(() => !document.querySelector('.el-notification'));
  }
}
