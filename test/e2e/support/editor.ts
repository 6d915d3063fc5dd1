import { mkdirSync } from 'node:fs';
import path from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { owner } from './n8n-api.ts';
import { cache, images } from './paths.ts';

// The pictures of the guides are made anew only when asked for: no two runs give the same bytes.
const pictures = process.env.PICTURES === 'docs' ? images : path.join(cache, 'pictures');

/** n8n's editor as a person uses it. */
export class Editor {
  readonly page: Page;
  readonly #url: string;

  constructor(page: Page, url: string) {
    this.page = page;
    this.#url = url;
  }

  async signIn(): Promise<void> {
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

  /** From the list of credentials: an empty form of this type. */
  async newCredential(type: string): Promise<void> {
    const { page } = this;
    await page.getByTestId('add-resource-buttons').or(page.getByTestId('empty-resources-list')).waitFor();
    await page.screenshot({ path: path.join(cache, 'debug.png') });
    await page.getByTestId('add-resource-credential').first().click();
    await page.getByTestId('new-credential-type-select').locator('input').fill(type);
    await page.getByRole('option', { name: type, exact: true }).or(page.getByText(type, { exact: true })).first().click();
    await page.getByTestId('new-credential-type-button').click();
    await this.field('baseUrl').waitFor();
  }

  async fill(name: string, value: string): Promise<void> {
    await this.field(name).locator('input').fill(value);
  }

  /** Saves, upon which n8n tests the credential. */
  async saveCredential(): Promise<void> {
    await this.page.getByTestId('credential-save-button').click();
  }

  field(name: string): Locator {
    return this.page.getByTestId(`parameter-input-${name}`);
  }

  /** The help that shows while the pointer rests on a label. */
  async helpOf(label: string): Promise<string> {
    const title = this.page.getByTestId('input-label').filter({ hasText: label }).first();
    await title.hover();
    await title.locator('svg').first().hover();
    const tip = this.page.getByRole('tooltip').last();
    await tip.waitFor();
    return tip.innerText();
  }

  async executeStep(): Promise<void> {
    await this.page.getByTestId('node-execute-button').first().click();
  }

  get output(): Locator {
    return this.page.getByTestId('output-panel');
  }

  /** A picture for the guides. */
  async picture(name: string): Promise<void> {
    mkdirSync(pictures, { recursive: true });
    await this.#dismissNotes();
    await this.page.screenshot({ path: path.join(pictures, `${name}.png`), animations: 'disabled' });
  }

  async #dismissNotes(): Promise<void> {
    const close = this.page.locator('.el-notification__closeBtn');
    for (const note of (await close.all()).reverse()) await note.click().catch(() => undefined);
  }
}
