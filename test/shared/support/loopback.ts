import type { Server } from 'node:http';
import { type AddressInfo, createServer, type Server as NetServer, type Socket } from 'node:net';

export type Listening = Awaited<ReturnType<typeof listen>>;

/** Starts a server on a free port of this machine. Closing it also ends its connections. */
export async function listen(server: NetServer | Server) {
  const sockets = new Set<Socket>();
  let connections = 0;
  server.on('connection', (socket: Socket) => {
    connections += 1;
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    /** How many were made to it. */
    connections: () => connections,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Responds to the first data on each connection with bytes that need not be HTTP. */
export function rawServer(answer: (socket: Socket) => void) {
  return listen(createServer((socket) => socket.once('data', () => answer(socket))));
}
