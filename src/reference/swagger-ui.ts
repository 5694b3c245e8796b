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
export interface ImmutableMap {
  toObject(): Readonly<Record<string, unknown>>
}

export type Component = (props: Readonly<Record<string, unknown>>) => unknown

export interface SwaggerUi {
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
