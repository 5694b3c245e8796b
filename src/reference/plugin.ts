import { breakLines } from '../lib/json-lines.js'
import { badgesOf, findOperation, type OpenapiDocument } from './document.js'
import type { Component, ImmutableMap, SwaggerSystem } from './swagger-ui.js'

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
