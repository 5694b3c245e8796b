/** A request and its expected status. `{id}` in a target is the id in the previous response. */
export interface Step {
  readonly method: string
  readonly target: string
  readonly body?: string
  readonly status: number
}

export type CaseName = 'get' | 'list' | 'create' | 'invalid'

export interface Case extends Step {
  readonly name: string
  /** Whether it creates a pet, so that the server must be reset before the next sample. */
  readonly writes?: true
  /** Whether the baseline sends all of our headers, not only the type and length of the body. */
  readonly sameHeaders?: true
}

export const PETS = 100

const NEW_PET = '{"name":"Rex","categoryId":1,"status":"available"}'

export const cases: Readonly<Record<CaseName, Case>> = {
  get: { name: 'GET /pets/1', method: 'GET', target: '/pets/1', status: 200 },
  list: {
    name: 'GET /pets?limit=20&status=available',
    method: 'GET',
    target: '/pets?limit=20&status=available',
    status: 200,
    sameHeaders: true,
  },
  create: { name: 'POST /pets', method: 'POST', target: '/pets', body: NEW_PET, status: 201, writes: true },
  invalid: {
    name: 'POST /pets, invalid',
    method: 'POST',
    target: '/pets',
    body: '{"name":"Rex","categoryId":"one","status":"available"}',
    status: 400,
  },
}

export const caseNames = Object.keys(cases) as CaseName[]

/** Requests of every kind that leave no additional pets or orders. */
export const mixedSteps: readonly Step[] = [
  cases.get,
  cases.list,
  { method: 'GET', target: '/pets?limit=20&sort=-name', status: 200 },
  cases.create,
  { method: 'PUT', target: '/pets/{id}', body: NEW_PET, status: 200 },
  { method: 'DELETE', target: '/pets/{id}', status: 204 },
  cases.invalid,
  { method: 'GET', target: '/store/inventory/1', status: 200 },
  { method: 'GET', target: '/pets/999999999', status: 404 },
  { method: 'GET', target: '/store/orders?limit=5', status: 200 },
]
