/** The facts that decide whether a release is possible. */
export interface Facts {
  readonly manifest: Manifest
  /** The text of the changelog. */
  readonly changes: string
  /** The output of `git status --porcelain`. */
  readonly uncommitted: string
  readonly tags: readonly string[]
}

export interface Manifest {
  readonly name: string
  readonly version: string
  readonly repository?: string | { readonly url: string }
}

const SEMANTIC = /^(?:0|[1-9]\d*)\.(?:0|[1-9]\d*)\.(?:0|[1-9]\d*)(?:-[0-9A-Za-z.-]+)?$/

export function tagOf({ version }: Manifest): string {
  return `v${version}`
}

/** The reasons why the package cannot be published yet, each as a sentence. */
export function findObstacles({ manifest, changes, uncommitted, tags }: Facts): string[] {
  const { version, repository } = manifest
  const newest = /^## (.*)$/m.exec(changes)?.[1] ?? ''
  const [, named, date = ''] = /^(\S+) \((.+)\)$/.exec(newest) ?? []
  const isDated = named === version && isDate(date)
  return [
    ...(SEMANTIC.test(version) ? [] : [`The version in package.json must look like 1.2.3, but is ${version}.`]),
    ...(isDated
      ? []
      : [`The newest heading in CHANGELOG.md must be "${version} (year-month-day)", but is "${newest}".`]),
    ...(repository ? [] : ['package.json must have a "repository", which provenance requires.']),
    ...(uncommitted === '' ? [] : ['All changes must be committed.']),
    ...(tags.includes(tagOf(manifest)) ? [`The version must be new, but the tag ${tagOf(manifest)} exists.`] : []),
  ]
}

function isDate(text: string): boolean {
  const time = Date.parse(`${text}T00:00:00Z`)
  return !Number.isNaN(time) && new Date(time).toISOString().slice(0, 10) === text
}
