import { breakLines } from './json-text.js'
import { type MarkedOperation, markersOf } from './markers.js'
import type { Component, Kept, SwaggerSystem } from './swagger-ui.js'

type Props = Parameters<Component>[0]

/** What Swagger UI lacks: our markers at the operations, a try-it control only where the document has one, and exact ids. */
export function referencePlugin({ React: { createElement, Fragment } }: SwaggerSystem) {
  /** The description is long: it opens on demand, so that the operations are in sight. */
  const ReferenceLayout = ({ getComponent }: Pick<SwaggerSystem, 'getComponent'>) => {
    const part = (name: string) => createElement(getComponent(name, true))
    const about = createElement(
      'details',
      null,
      createElement('summary', null, 'About this document'),
      part('InfoContainer'),
    )
    const title = createElement('h2', { className: 'operations-title' }, 'Operations')
    return createElement(
      'div',
      { className: 'swagger-ui' },
      part('errors'),
      about,
      title,
      part('operations'),
      part('Models'),
    )
  }

  const withBadges = (Original: Component, system: SpecSystem) => (props: Props) => {
    const { path, method } = (props.operationProps as Kept).toObject()
    const operation = operationAt(system, path as string, method as string)
    const badges = markersOf(operation).badges.map(({ kind, text }) =>
      createElement('span', { key: text, className: `badge badge-${kind}`, 'data-badge': text }, text),
    )
    return createElement(Fragment, null, createElement(Original, props), ...badges)
  }

  const withExactNumbers =
    (Original: Component, { getComponent }: SwaggerSystem) =>
    (props: Props) => {
      const { content, contentType } = props
      if (typeof content !== 'string' || !/json/i.test(String(contentType))) return createElement(Original, props)
      const code = { language: 'json', canCopy: true, downloadable: true, fileName: 'answer.json' }
      return createElement(
        'div',
        null,
        createElement('h5', null, 'Response body'),
        createElement(getComponent('HighlightCode', true), code, breakLines(content)),
      )
    }

  return {
    components: { ReferenceLayout },
    wrapComponents: { OperationSummaryPath: withBadges, responseBody: withExactNumbers },
    statePlugins: {
      spec: {
        wrapSelectors: {
          allowTryItOutFor: (_: unknown, system: SpecSystem) => (_state: unknown, path: string, method: string) => {
            return !markersOf(operationAt(system, path, method)).hidesTryIt
          },
        },
      },
      layout: {
        wrapActions: {
          // An operation that was opened can be pointed at.
          show:
            (show: (place: readonly string[], isShown: boolean) => unknown) =>
            (place: readonly string[], isShown: boolean) => {
              if (isShown && place[0] === 'operations') history.replaceState(null, '', `#${place[2]}`)
              return show(place, isShown)
            },
        },
      },
    },
  }
}

interface SpecSystem {
  readonly specSelectors: { specJson(): { getIn(path: readonly string[]): Kept | undefined } }
}

/** As the document has it. What a component is handed is complete only once it was opened. */
function operationAt({ specSelectors }: SpecSystem, path: string, method: string): MarkedOperation {
  return (specSelectors.specJson().getIn(['paths', path, method])?.toJS() ?? {}) as MarkedOperation
}
