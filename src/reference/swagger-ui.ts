/** As much of Swagger UI as the page uses; its package has no types. */
export interface SwaggerSystem {
  readonly React: {
    createElement(type: unknown, props?: object | null, ...children: unknown[]): unknown
    readonly Fragment: unknown
  }
  getComponent(name: string, withSystem?: boolean): unknown
  readonly layoutActions: { show(place: readonly string[], isShown: boolean): void }
}

/** What Swagger UI keeps its values in. */
export interface Kept {
  toJS(): unknown
  toObject(): Readonly<Record<string, unknown>>
}

export type Component = (props: Readonly<Record<string, unknown>>) => unknown

export interface SwaggerOptions {
  readonly spec: object
  readonly domNode: HTMLElement
  readonly [option: string]: unknown
}

export interface SwaggerUi {
  (options: SwaggerOptions): SwaggerSystem
  readonly presets: { readonly apis: unknown }
}

/** Loads the library beside this script: it is large, and the page is there before it is. */
export async function loadSwaggerUi(): Promise<SwaggerUi> {
  const style = document.createElement('link')
  style.rel = 'stylesheet'
  style.href = new URL('swagger-ui.css', import.meta.url).href
  const script = document.createElement('script')
  script.src = new URL('swagger-ui.js', import.meta.url).href
  const loaded = Promise.all([style, script].map(whenLoaded))
  // In front of the page's own, which mends it.
  document.head.prepend(style, script)
  await loaded
  return (globalThis as unknown as { SwaggerUIBundle: SwaggerUi }).SwaggerUIBundle
}

function whenLoaded(element: HTMLElement): Promise<void> {
  return new Promise((resolve, reject) => {
    element.onload = () => resolve()
    element.onerror = () => reject(new Error('the part that shows it could not be loaded'))
  })
}
