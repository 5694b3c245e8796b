/** What a release is judged by. */
export interface Facts {
  readonly manifest: Manifest
  /** The text of the changelog. */
  readonly changes: string
  /** What git says of files that differ from the last commit; empty where none does. */
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

/** What is left to be done before the package can be published, each in a sentence. */
export function findObstacles({ manifest, changes, uncommitted, tags }: Facts): string[] {
  const { version, repository } = manifest
  const newest = /^## (.*)$/m.exec(changes)?.[1] ?? ''
  const [, named, date = ''] = /^(\S+) \((.+)\)$/.exec(newest) ?? []
  const isDated = named === version && isDate(date)
  return [
    ...(SEMANTIC.test(version) ? [] : [`the version in package.json must be one such as 1.2.3, but is ${version}`]),
    ...(isDated
      ? []
      : [`the newest part of CHANGELOG.md must be headed "${version} (year-month-day)", but is "${newest}"`]),
    ...(repository ? [] : ['package.json must name its "repository": provenance says which one a package comes from']),
    ...(uncommitted === '' ? [] : ['everything must be committed, but some files have changed']),
    ...(tags.includes(tagOf(manifest)) ? [`the version must be a new one, but there is a tag ${tagOf(manifest)}`] : []),
  ]
}

function isDate(text: string): boolean {
  const time = Date.parse(`${text}T00:00:00Z`)
  return !Number.isNaN(time) && new Date(time).toISOString().slice(0, 10) === text
}
