import { isPlainObject } from '../../lib/plain-object.js'

/** A value as XML: members are elements, a list repeats its element. The `xml` keywords of schemas are not read. */
export function writeXml(value: unknown, name = 'root'): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n${writeElement(name, value)}`
}

function writeElement(name: string, value: unknown): string {
  const tag = toTag(name)
  const inside = Array.isArray(value)
    ? value.map((item) => writeElement('item', item)).join('')
    : isPlainObject(value)
      ? Object.entries(value)
          .map(([key, member]) => writeMember(key, member))
          .join('')
      : escapeText(value === null || value === undefined ? '' : String(value))
  return `<${tag}>${inside}</${tag}>`
}

function writeMember(name: string, value: unknown): string {
  return Array.isArray(value) ? value.map((item) => writeElement(name, item)).join('') : writeElement(name, value)
}

const toTag = (name: string) => name.replace(/[^\w.-]/g, '_').replace(/^(?![A-Za-z_])/, '_')

const escapeText = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
