import type { Admin } from '../api.js'
import { Alert } from '../components/display.js'
import { useAdmin } from '../resource.js'
import { Overrides } from './overrides.js'
import { FaultRules } from './rules.js'

export function FaultsPanel() {
  const { value, failure } = useAdmin<Admin['Coverage']>('/coverage')
  const operations = value?.operations ?? []
  return (
    <>
      <Alert failure={failure} />
      <div class="columns">
        <FaultRules operations={operations} />
        <Overrides operations={operations} />
      </div>
    </>
  )
}
