import { SCHEMES, type Scheme } from './palette.js'

/** The path of a picture in the project. */
export function pictureFile(name: string, scheme: Scheme, type: 'svg' | 'png' = 'svg'): string {
  return `docs/pictures/${name}-${scheme}.${type}`
}

/** Draws a picture in every scheme. */
export async function inEveryScheme(
  name: string,
  draw: (scheme: Scheme) => string | Promise<string>,
): Promise<[path: string, svg: string][]> {
  const drawn: [string, string][] = []
  for (const scheme of SCHEMES) drawn.push([pictureFile(name, scheme), await draw(scheme)])
  return drawn
}
