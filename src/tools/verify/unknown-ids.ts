import type { Sampler } from '../../document/sample/sample.js'
import type { ServiceResource } from '../../engine/resources/service-resource.js'
import type { JsonId } from '../server/document-requests.js'

/** Ids that no record has. */
export function createUnknownIds(sampler: Sampler) {
  const digits = `91${randomDigits(16)}1`
  const [text, number] = [crypto.randomUUID(), randomInteger()]

  function toUnknown({ id: { kind } }: ServiceResource, number: number, text: string): JsonId {
    switch (kind.type) {
      case 'int64':
      case 'integer': {
        // An id without a format may have 32 bits.
        const usual = kind.type === 'int64' ? number : SMALL + (number % 600_000_000)
        const { minimum = 0, maximum = usual, multipleOf = 1 } = kind
        return Math.floor(Math.max(Math.min(usual, maximum), minimum) / multipleOf) * multipleOf
      }
      case 'digits':
        return String(number)
      case 'uuid':
        return text
      case 'text': {
        const { prefix = '', pattern, minLength, maxLength } = kind
        if (pattern === undefined) return `${prefix}${text}`.padEnd(minLength ?? 0, '0').slice(0, maxLength)
        return String(sampler.sample({ type: 'string', pattern, minLength, maxLength } as never))
      }
    }
  }

  /** For a path. A double cannot hold it if ids have 64 bits. */
  function unknownId(resource: ServiceResource): string {
    const { kind } = resource.id
    const isAnyNumber = kind.type === 'int64' && kind.maximum === undefined && kind.multipleOf === undefined
    return isAnyNumber || kind.type === 'digits' ? digits : String(toUnknown(resource, number, text))
  }

  return {
    unknownId,
    /** The same, and smaller ones for paths that allow less than the id of a record. */
    unknownIds: (resource: ServiceResource): string[] => [unknownId(resource), String(SMALL + (number % 600_000_000))],
    /** For a body. A double can hold it, so that a record that refers to it reads back as it was sent. */
    unknownReference: (resource: ServiceResource): JsonId => toUnknown(resource, number, text),
    /** Another one each time, for the id in a body, which a service might give to a record. */
    newUnknownId: (resource: ServiceResource): JsonId => toUnknown(resource, randomInteger(), crypto.randomUUID()),
  }
}

/** With up to 600 million more, it has 32 bits. */
const SMALL = 1_500_000_000

const randomInteger = (): number => Number(`8${randomDigits(15)}`)

function randomDigits(count: number): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(count)), (byte) => byte % 10).join('')
}
