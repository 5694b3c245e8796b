import type { ResourceName, Version } from './next-version.js'
import type { operations } from './operations.js'

/** A property that rules need, and what they write into it. */
interface Need {
  readonly resource: ResourceName
  readonly property: string
  readonly values?: readonly unknown[]
}

const STATUS: Need = { resource: 'pets', property: 'status', values: ['available', 'pending', 'sold'] }
const PET: Need = { resource: 'orders', property: 'petId' }
const QUANTITY: Need = { resource: 'orders', property: 'quantity', values: [1] }
const COMPLETE: Need = { resource: 'orders', property: 'complete', values: [true, false] }
const STOCK: Need = { resource: 'inventory', property: 'quantity', values: [0, 1] }
const STOCKED_PET: Need = { resource: 'inventory', property: 'petId' }
const CATEGORY: Need = { resource: 'pets', property: 'categoryId' }

const ORDERING = [STATUS, PET, QUANTITY, COMPLETE]

/** What the rules of the operations need. */
const RULES: Readonly<Record<keyof typeof operations, readonly Need[]>> = {
  updatePet: [STATUS],
  deletePet: [PET, COMPLETE],
  createOrder: ORDERING,
  updateOrder: ORDERING,
  deleteOrder: ORDERING,
  updateInventory: [STATUS, STOCK, STOCKED_PET],
}

/** The rules beside them. */
const OTHER_RULES = {
  'references of pets to categories': [CATEGORY, { resource: 'categories', property: 'id' }],
  'references of orders to pets': [PET, { resource: 'pets', property: 'id' }],
  'stock of pets': [STOCK, STOCKED_PET, { resource: 'pets', property: 'id' }],
} satisfies Readonly<Record<string, readonly Need[]>>

export interface Losses {
  /** Whether a rule has lost what it needs. */
  readonly hasLost: boolean
  /** Whether the rules of an operation apply. */
  keepsRules(operation: string): boolean
  readonly hasStatus: boolean
  readonly hasCategories: boolean
  readonly hasOrderedPets: boolean
  readonly hasStock: boolean
  /** In sentences. */
  readonly warnings: readonly string[]
}

/** What the rules of the Pet Store need, and a version of its document has lost. */
export function findLosses(version: Version): Losses {
  const gone = Object.keys(RULES).filter((name) => version.operation(name) === undefined)
  const rules = Object.entries({ ...RULES, ...OTHER_RULES }).filter(([name]) => !gone.includes(name))
  const lost = new Map<string, string[]>()
  for (const [rule, needs] of rules) {
    for (const reason of new Set(needs.flatMap((need) => explainLoss(version, need) ?? []))) {
      lost.set(reason, [...(lost.get(reason) ?? []), rule])
    }
  }
  const withoutNeeds = new Set([...lost.values()].flat())
  const hasRule = (name: keyof typeof OTHER_RULES) => !withoutNeeds.has(name)
  return {
    hasLost: withoutNeeds.size > 0,
    keepsRules: (operation) => !withoutNeeds.has(operation),
    hasStatus: explainLoss(version, STATUS) === undefined,
    hasCategories: hasRule('references of pets to categories'),
    hasOrderedPets: hasRule('references of orders to pets'),
    hasStock: hasRule('stock of pets'),
    warnings: [
      ...(gone.length > 0 ? [`Operations that are gone, with their rules: ${gone.join(', ')}.`] : []),
      ...[...lost].map(([reason, names]) => `${reason}. Rules that need it do not apply: ${names.join(', ')}.`),
    ],
  }
}

function explainLoss(version: Version, { resource, property, values }: Need): string | undefined {
  if (version.resource(resource) === undefined) return `The document has no ${resource}`
  if (!version.has(resource, property)) return `The document has no ${property} of ${resource}`
  if (version.has(resource, property, values)) return undefined
  return `In the document, ${property} of ${resource} cannot be ${values?.join(', ')}`
}
