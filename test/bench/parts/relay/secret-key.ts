/** Of every relay of the benchmark, so that several processes can open one database. */
export const secretKey = Buffer.alloc(32, 7).toString('base64');
