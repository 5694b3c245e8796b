/** The figures of the run that the documentation shows. A test compares them with the tables there. */
export const RECORDED = {
  date: '15 November 2026',
  machine: 'one machine with two cores, Node 20 (Prism and Scalar: Node 24)',
  /** Requests per second as a share of raw node:http in the same run, and the start as a multiple of its start. */
  columns: ['GET /pets/1', 'a filtered page of 20', 'invalid POST', 'valid POST', 'start'],
  /** Undefined where a tool does not validate. */
  servers: [
    { name: 'raw node:http', figures: [1, 1, 1, 1, 1] },
    { name: 'petstore-mock 0.1', figures: [0.79, 0.68, 0.65, 0.56, 1.5] },
    { name: 'openapi-backend 5.21 in front of an array', figures: [0.13, 0.15, 0.19, 0.19, 17.2] },
    { name: 'Prism 5.16, examples, logging off', figures: [0.09, 0.09, 0.1, 0.09, 9.9] },
    { name: 'Prism 5.16, default settings', figures: [0.04, 0.05, 0.05, 0.05, 10.4] },
    { name: "Scalar's mock server 0.14", figures: [0.12, 0.11, 0.21, 0.1, 11.2] },
    { name: 'Mockoon 9.9, CRUD routes', figures: [0.1, 0.1, undefined, 0.05, 8.1] },
    { name: 'json-server 1.0 beta', figures: [0.25, 0.16, undefined, 0.05, 1.9] },
    { name: 'json-server 0.17', figures: [0.12, 0.09, undefined, 0.05, 2.8] },
    { name: '@mswjs/http-middleware 0.10 with @mswjs/data', figures: [0.07, 0.07, undefined, 0.05, 6] },
  ],
} as const
