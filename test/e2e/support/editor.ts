import { mkdirSync } from 'node:fs';
import path from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { cache, images } from './machine.ts';
import { owner, type WorkflowNode } from './n8n-api.ts';
import { waitFor } from './wait.ts';

// Overwrites the guides' pictures only on request, because no two runs produce the same bytes.
const pictures = process.env.PICTURES === 'docs' ? images : path.join(cache, 'pictures');

/** What signs in to n8n. */
interface Account {
  readonly email: string;
  readonly password: string;
}

/** n8n's editor as a person uses it. */
export class Editor {
  readonly page: Page;
  readonly #url: string;

  constructor(page: Page, url: string) {
    this.page = page;
    this.#url = url;
  }

  async signIn({ email, password }: Account = owner): Promise<void> {
    // n8n's switch for its debounce. By default a second change of a field counts only after 200 ms:
    // a click on Save before that saves the old value, or fails because a required field is empty.
    await this.page.addInitScript(() => sessionStorage.setItem('N8N_DEBOUNCE_MULTIPLIER', '0'));
    await this.page.goto(`${this.#url}/signin`);
    await this.page.getByRole('textbox', { name: /email/i }).fill(email);
    await this.page.locator('input[type=password]').fill(password);
    await this.page.keyboard.press('Enter');
    await this.page.waitForURL(/\/home/);
  }

  async newWorkflow(): Promise<void> {
    await this.page.goto(`${this.#url}/workflow/new`);
    await this.page.getByTestId('canvas-plus-button').waitFor();
  }

  /** Imports a workflow's file into a new workflow. */
  async importFile(file: string): Promise<void> {
    await this.newWorkflow();
    await this.page.getByTestId('workflow-menu').click();
    await this.page.getByTestId('workflow-menu-item-import').hover();
    const chooser = this.page.waitForEvent('filechooser');
    await this.page.getByText('From file', { exact: true }).click();
    await (await chooser).setFiles(file);
    await this.page.getByTestId('canvas-node').first().waitFor();
  }

  /** Opens the fields of a node on the canvas. */
  async openNode(name: string): Promise<void> {
    await this.page.locator(`[data-test-id=canvas-node][data-node-name="${name}"]`).dblclick();
    await this.page.getByTestId('ndv').waitFor();
  }

  /** Red triangles on the canvas. */
  get issues(): Locator {
    return this.page.getByTestId('node-issues');
  }

  /** The panel of nodes, with what a search finds. */
  async search(text: string): Promise<void> {
    await this.page.getByTestId('canvas-plus-button').click();
    await this.page.getByTestId('node-creator-search-bar').fill(text);
    await this.page.getByTestId('node-creator-item-name').first().waitFor();
  }

  /** The names in the panel of nodes. */
  async found(): Promise<string[]> {
    return await this.page.getByTestId('node-creator-item-name').allInnerTexts();
  }

  /** All triggers and actions of a node, in the panel of nodes. */
  async open(node = 'Screen Advertising'): Promise<void> {
    await this.search('screen adv');
    await this.page.getByText(node, { exact: true }).first().click();
    await this.page.getByText(/^Triggers \(\d+\)/).waitFor();
    const actions = this.page.getByText(/^Actions \(\d+\)/);
    if ((await actions.count()) > 0) await actions.click();
  }

  /** Adds a trigger or action from the panel; its fields open. */
  async choose(entry: string): Promise<void> {
    await this.page.getByText(entry, { exact: true }).click();
    await this.page.getByTestId('ndv').waitFor();
  }

  async add(entry: string): Promise<void> {
    await this.open();
    await this.choose(entry);
  }

  /**
   * The nodes of the workflow, as n8n copies them to the clipboard. A key that is pressed while a
   * panel still closes is lost, so it is pressed until something is copied.
   */
  async copyNodes(): Promise<readonly WorkflowNode[]> {
    await this.page.evaluate(() => navigator.clipboard.writeText(''));
    return await waitFor({ what: 'the nodes in the clipboard', withinMs: 30_000 }, async () => {
      await this.page.keyboard.press('Control+a');
      await this.page.keyboard.press('Control+c');
      const copied = await this.page.evaluate(() => navigator.clipboard.readText());
      if (copied === '') return undefined;
      const { nodes } = JSON.parse(copied) as { nodes: WorkflowNode[] };
      return nodes.length > 0 && nodes;
    });
  }

  async fill(name: string, value: string): Promise<void> {
    await this.field(name).locator('input').fill(value);
  }

  /**
   * Adds a field to one of the node's collections, such as Near to its Filters. A click on a menu
   * that n8n just then renders again is lost: it is clicked until the field is there.
   */
  async addField(button: string, label: string, name: string): Promise<void> {
    const option = this.page
      .getByTestId('collection-parameter-option')
      .filter({ hasText: new RegExp(`^\\s*${label}\\s*$`), visible: true });
    const added = this.field(name);
    await waitFor({ what: `the field "${label}"`, withinMs: 120_000 }, async () => {
      if (await added.isVisible()) return true;
      if (!(await option.isVisible())) await this.page.getByPlaceholder(button).click();
      await option.click({ timeout: 10_000 }).catch(() => undefined);
      return await added.waitFor({ timeout: 10_000 }).then(
        () => true,
        () => false,
      );
    });
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

  /** A picture for the guides, of all that is seen, or of what is in it from one part to another. */
  async picture(name: string, from?: Locator, to?: Locator): Promise<void> {
    const file = path.join(pictures, `${name}.png`);
    mkdirSync(path.dirname(file), { recursive: true });
    await this.#dismissNotes();
    const [whole, last] = [await from?.boundingBox(), await to?.boundingBox()];
    const clip = whole && last && { ...whole, height: last.y + last.height + 24 - whole.y };
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
