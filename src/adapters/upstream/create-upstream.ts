import type { Contract } from '../../document/contract/contract.js'
import { type CreateUpstream, prepareUpstream } from '../../engine/pipeline/create-upstream.js'
import { trustedCertificates } from '../certificates.js'
import { createForward } from './forward.js'
import type { ResolvedUpstreamOptions } from './options.js'

/** Passes requests of a mock through with node:http. Undefined without an upstream. */
export function createUpstream(
  options: ResolvedUpstreamOptions & { readonly adminToken?: string | undefined },
  contract: Contract,
): CreateUpstream | undefined {
  const { adminToken } = options
  const { upstream, pass, mock, passUnknown, upstreamStrict: strict, upstreamFallback: fallback } = options
  if (upstream === undefined) return undefined
  const url = new URL(upstream)
  const ca = options.upstreamCa === undefined ? undefined : trustedCertificates(options.upstreamCa)
  const forward = createForward({ url, ca, timeoutMs: options.upstreamTimeoutMs })
  return prepareUpstream({ url, adminToken, pass, mock, passUnknown, strict, fallback, forward }, contract)
}
