import type { Fault } from './fault.ts';

type Shape = 'problem' | 'HTML' | 'nothing' | 'other JSON';
const shapes: readonly Shape[] = ['problem', 'HTML', 'nothing', 'other JSON'];

const bodyOf: Record<Shape, (status: number) => [type: string, body: string]> = {
  problem: (status) => [
    'application/problem+json',
    JSON.stringify({ type: 'about:blank', title: 'A title', status, detail: 'A fault.' }),
  ],
  HTML: () => ['text/html', '<html><body><h1>It broke</h1></body></html>'],
  nothing: () => ['text/plain', ''],
  'other JSON': () => ['application/json', '{"error":{"message":"It broke"}}'],
};

function status(code: number, shape: Shape, isApplied = false): Fault {
  return {
    name: `${code} with ${shape}${isApplied ? ', after' : ''}`,
    effect: { kind: 'refused', status: code, hasProblem: shape === 'problem', isApplied },
    async strike(response, answer) {
      if (isApplied) await answer();
      const [type, text] = bodyOf[shape](code);
      response.writeHead(code, { 'content-type': type }).end(text);
    },
  };
}

const refusals = [400, 401, 403, 404, 405, 409, 410, 413, 422, 451];
const failures = [408, 500, 502, 503, 504];

export const statuses: readonly Fault[] = [
  ...[...refusals, ...failures].flatMap((code) => shapes.map((shape) => status(code, shape))),
  ...failures.flatMap((code) => shapes.map((shape) => status(code, shape, true))),
];
