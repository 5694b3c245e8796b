import type { Contract } from '../../document/contract/contract.js'
import { runInSlices } from '../../lib/steps.js'
import { countRecords } from '../data/record-counts.js'
import { fixedScenarios, type ImpossibleField, type Scenarios } from '../data/scenarios.js'
import type { ServiceResource } from '../resources/service-resource.js'
import { loadContract } from './load-contract.js'

interface DescribedService {
  readonly resources: readonly ServiceResource[]
  readonly contract: Contract
  readonly reportImpossible: (fields: readonly ImpossibleField[]) => void
}

/** The scenarios of a service that has none of its own: `default` is generated, and `empty` has no records. */
export function documentScenarios(service: () => DescribedService): Scenarios {
  const fixed = fixedScenarios({}, [])
  return {
    names: () => ['default', ...fixed.names()],
    list: () => {
      const counts = countRecords(service().resources, {})
      const description = 'Some records of every kind, generated from the OpenAPI document.'
      const sizes = Object.fromEntries(counts)
      const none = Object.fromEntries([...counts.keys()].map((name) => [name, 0]))
      return [{ name: 'default', description, sizes }, ...fixed.list().map((each) => ({ ...each, sizes: none }))]
    },
    async load(name, seed, sizes, onProgress) {
      if (name !== 'default') return fixed.load(name, seed, sizes)
      const { resources, contract, reportImpossible } = service()
      const tools = await loadContract(contract)
      const generated = await runInSlices(tools.generateRecords(resources, contract, { seed, sizes, onProgress }))
      reportImpossible(generated.impossible)
      return generated.fixture
    },
  }
}
