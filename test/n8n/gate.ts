import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { closeAfterTest } from '../support/closing.ts';

/** An address of the relay that a test can take away and restore. */
export interface Gate {
  readonly url: string;
  shut(): Promise<void>;
  open(): Promise<void>;
}

/** Open until it is shut; the end of the test shuts it too. */
export async function openGate(relayUrl: string): Promise<Gate> {
  const sockets = new Set<Socket>();
  const target = Number(new URL(relayUrl).port);
  let server: Server | undefined;
  let port = 0;

  function pass(inside: Socket): void {
    const outside = connect(target, '127.0.0.1');
    for (const socket of [inside, outside]) {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        sockets.delete(socket);
        inside.destroy();
        outside.destroy();
      });
    }
    inside.pipe(outside).pipe(inside);
  }

  const gate = {
    get url() {
      return `http://127.0.0.1:${port}`;
    },
    async open() {
      const opening = createServer(pass).listen(port, '127.0.0.1');
      server = opening;
      await new Promise((resolve) => opening.once('listening', resolve));
      port = (opening.address() as AddressInfo).port;
    },
    async shut() {
      const closing = server;
      server = undefined;
      for (const socket of sockets) socket.destroy();
      if (closing) await new Promise((resolve) => closing.close(resolve));
    },
  };
  closeAfterTest(() => gate.shut());
  await gate.open();
  return gate;
}
