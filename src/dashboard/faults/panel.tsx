import { useOperations } from '../resource.js'
import { Overrides } from './overrides.js'
import { FaultRules } from './rules.js'

export function FaultsPanel() {
  const operations = useOperations()
  return (
    <div class="columns">
      <FaultRules operations={operations} />
      <Overrides operations={operations} />
    </div>
  )
}
