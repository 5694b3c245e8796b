import { breakLines } from '../../lib/json-text.js'
import { badgesOf, findOperation, type OpenapiDocument } from './document.js'

type Props = Parameters<Component>[0]

/** Adds badges to operations, hides "Try it out" where the document says so, and shows large integers exactly. */
export const createPlugin = (openapi: OpenapiDocument) => (swagger: SwaggerSystem) => {
  const { createElement, Fragment } = swagger.React

  /** Collapses the long description, so that the operations are in sight. */
  const ReferenceLayout = ({ getComponent }: Pick<SwaggerSystem, 'getComponent'>) => {
    const part = (name: string) => createElement(getComponent(name, true))
    const summary = createElement('summary', null, 'About this document')
    return createElement(
      'div',
      { className: 'swagger-ui' },
      part('errors'),
      createElement('details', null, summary, part('InfoContainer')),
      createElement('h2', { className: 'operations-title' }, 'Operations'),
      part('operations'),
      part('Models'),
    )
  }

  const withBadges = (Original: Component) => (props: Props) => {
    const { path, method } = (props.operationProps as ImmutableMap).toObject()
    const badges = badgesOf(findOperation(openapi, path as string, method as string)).map(({ kind, text }) =>
      createElement('span', { key: text, className: `badge badge-${kind}` }, text),
    )
    return createElement(Fragment, null, createElement(Original, props), ...badges)
  }

  const withExactNumbers = (Original: Component, system: SwaggerSystem) => (props: Props) => {
    const { content, contentType } = props
    if (typeof content !== 'string' || !/json/i.test(String(contentType))) return createElement(Original, props)
    const options = { language: 'json', canCopy: true, downloadable: true, fileName: 'response.json' }
    return createElement(
      'div',
      null,
      createElement('h5', null, 'Response body'),
      createElement(system.getComponent('HighlightCode', true), options, breakLines(content)),
    )
  }

  const allowTryItOutFor = () => (_state: unknown, path: string, method: string) =>
    findOperation(openapi, path, method)['x-hideTryItPanel'] !== true

  /** Puts an opened operation into the address. */
  const show = (original: SwaggerSystem['layoutActions']['show']) => (path: readonly string[], isShown: boolean) => {
    if (isShown && path[0] === 'operations') history.replaceState(null, '', `#${path[2]}`)
    return original(path, isShown)
  }

  return {
    components: { ReferenceLayout },
    wrapComponents: { OperationSummaryPath: withBadges, responseBody: withExactNumbers },
    statePlugins: { spec: { wrapSelectors: { allowTryItOutFor } }, layout: { wrapActions: { show } } },
  }
}

/** The part of Swagger UI that this page uses; its package has no types. */
export interface SwaggerSystem {
  readonly React: {
    createElement(type: unknown, props?: object | null, ...children: unknown[]): unknown
    readonly Fragment: unknown
  }
  getComponent(name: string, withSystem?: boolean): unknown
  readonly layoutActions: { show(path: readonly string[], isShown: boolean): void }
}

/** A map of Immutable.js, which Swagger UI stores its values in. */
interface ImmutableMap {
  toObject(): Readonly<Record<string, unknown>>
}

type Component = (props: Readonly<Record<string, unknown>>) => unknown

interface SwaggerUi {
  (options: Readonly<Record<string, unknown>>): SwaggerSystem
  readonly presets: { readonly apis: unknown }
}

/** Loads the library separately: it is large, and the page appears before it. */
export function loadSwaggerUi(): Promise<SwaggerUi> {
  return new Promise((resolve, reject) => {
    const script = document.createElement('script')
    script.src = new URL('swagger-ui.js', import.meta.url).href
    script.onload = () => resolve((globalThis as unknown as { SwaggerUIBundle: SwaggerUi }).SwaggerUIBundle)
    script.onerror = () => reject(new Error('Swagger UI could not be loaded.'))
    document.head.append(script)
  })
}

/**
 * Makes Swagger UI's markup accessible: names its fields and lets the keyboard reach its scrollable code. Swagger UI has
 * no options for this, so its markup is changed as it appears.
 */
export function keepAccessible(root: HTMLElement): void {
  fix(root)
  new MutationObserver(() => fix(root)).observe(root, { childList: true, subtree: true })
}

const FIELDS = 'select, textarea, input:not([type=checkbox], [type=radio])'

function fix(root: HTMLElement): void {
  for (const field of root.querySelectorAll<HTMLElement>(FIELDS)) {
    if (!field.hasAttribute('aria-label')) field.setAttribute('aria-label', labelOf(field))
  }
  for (const button of root.querySelectorAll('.model-box-control')) {
    if (button.textContent === '') button.setAttribute('aria-label', 'Show or hide the fields')
  }
  for (const code of root.querySelectorAll<HTMLElement>('pre.microlight')) code.tabIndex = 0
  // As a region, it would not be announced as a table.
  for (const table of root.querySelectorAll('table[role=region]')) table.removeAttribute('role')
}

function labelOf(field: HTMLElement): string {
  const parameter = field.closest<HTMLElement>('[data-param-name]')?.dataset.paramName
  if (parameter !== undefined) return parameter
  if (field.matches('.examples-select-element')) return 'Example'
  if (field.matches('.body-param__text')) return 'Request body'
  return field.getAttribute('placeholder') || 'Value'
}
