type Close = () => unknown;

const [ofTest, ofFile]: [Close[], Close[]] = [[], []];
let open = ofFile;

/** After the current test, or after the file if no test runs, in reverse order. */
export function closeAfterTest(close: Close): void {
  open.push(close);
}

/** After the last test of the file, in reverse order. */
export function closeAfterFile(close: Close): void {
  ofFile.push(close);
}

/** The hooks of every test file; jest.closing.ts registers them. */
export const hooks = {
  beforeTest(): void {
    open = ofTest;
  },
  async afterTest(): Promise<void> {
    open = ofFile;
    await closeAll(ofTest);
  },
  afterFile: () => closeAll(ofFile),
};

async function closeAll(these: Close[]): Promise<void> {
  for (let close = these.pop(); close; close = these.pop()) await close();
}
