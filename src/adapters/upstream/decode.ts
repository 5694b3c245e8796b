import { promisify } from 'node:util'
import { brotliDecompress, gunzip, inflate } from 'node:zlib'
import { UpstreamFailure, type UpstreamResponse } from '../../engine/upstream/upstream.js'

const DECODERS = new Map([
  ['gzip', promisify(gunzip)],
  ['x-gzip', promisify(gunzip)],
  ['deflate', promisify(inflate)],
  ['br', promisify(brotliDecompress)],
])

/** Removes the content coding of a response, which a service should not use: it was not asked for. An unknown one stays. */
export async function decode(
  response: UpstreamResponse & { readonly body: Buffer },
  maxOutputLength: number,
): Promise<UpstreamResponse> {
  const coding = response.headers
    .find(([name]) => name.toLowerCase() === 'content-encoding')?.[1]
    .trim()
    .toLowerCase()
  const decoder = DECODERS.get(coding ?? '')
  if (decoder === undefined || response.body.length === 0) return response
  const headers = response.headers.filter(([name]) => name.toLowerCase() !== 'content-encoding')
  try {
    return { ...response, headers, body: await decoder(response.body, { maxOutputLength }) }
  } catch {
    throw new UpstreamFailure(
      'unreachable',
      `returned a body that is not ${coding}, or is longer than ${maxOutputLength} bytes`,
    )
  }
}
