import type { ServiceResource } from '../../engine/resources/service-resource.js'
import type { JsonId } from './resources.js'

/** Ids that no record has. */
export function createUnknownIds() {
  const digits = `91${randomDigits(16)}1`
  const [text, number] = [crypto.randomUUID(), randomInteger()]

  return {
    /** For a path. A double cannot hold it if ids have 64 bits. */
    unknownId({ id: { kind } }: ServiceResource): string {
      return kind.type === 'int64' || kind.type === 'digits' ? digits : String(toUnknown(kind, number, text))
    },
    /** For a body. A double can hold it, so that a record that refers to it reads back as it was sent. */
    unknownReference: ({ id: { kind } }: ServiceResource): JsonId => toUnknown(kind, number, text),
    /** Another one each time, for the id in a body, which a service might give to a record. */
    newUnknownId: ({ id: { kind } }: ServiceResource): JsonId => toUnknown(kind, randomInteger(), crypto.randomUUID()),
  }
}

function toUnknown(kind: ServiceResource['id']['kind'], number: number, text: string): JsonId {
  switch (kind.type) {
    case 'int64':
      return number
    case 'integer':
      return Math.min(number, kind.maximum ?? number)
    case 'digits':
      return String(number)
    case 'uuid':
      return text
    case 'text':
      return `${kind.prefix ?? ''}${text}`.slice(0, kind.maxLength)
  }
}

const randomInteger = (): number => Number(`8${randomDigits(15)}`)

function randomDigits(count: number): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(count)), (byte) => byte % 10).join('')
}
