import { runInSlices } from '../../lib/steps.js'
import { loadContract } from '../load-contract.js'
import type { DescribedService } from './document-scenarios.js'
import { type AnyFixture, entriesIn } from './format.js'
import type { Scenarios } from './scenarios.js'

/** The same scenarios for another version of the document: what their records lack is generated, and so are all other records. */
export function completeScenarios(scenarios: Scenarios, service: () => DescribedService): Scenarios {
  const sized = Object.keys(scenarios.defaultSizes ?? {})
  return {
    names: scenarios.names,
    list: scenarios.list,
    async load(name, seed, sizes, onProgress) {
      const { resources, contract, reportImpossible } = service()
      const own = Object.fromEntries(sized.map((each) => [each, sizes[each] ?? sizes.all]))
      const given = await scenarios.load(name, seed, own, onProgress)
      const lengths = Object.keys(given).map((each) => [each, entriesIn(given, each).length])
      const wanted = { ...(name === 'empty' ? { all: 0 } : sizes), ...Object.fromEntries(lengths) }
      const tools = await loadContract(contract)
      const generated = await runInSlices(tools.generateRecords(resources, contract, { seed, sizes: wanted, given }))
      reportImpossible(generated.impossible)
      return withDescription(generated.fixture, given)
    },
  }
}

function withDescription(fixture: AnyFixture, { description }: AnyFixture): AnyFixture {
  return description === undefined ? fixture : { description, ...fixture }
}
