import type { ReactNode } from 'react'

// Drawn on 120 × 120. The class names set the colours, see styles/pets.css.

/** Draws its children, the left half, and their mirror image. */
export function Pair({ children }: { children: ReactNode }) {
  return (
    <>
      {children}
      <g transform="matrix(-1 0 0 1 120 0)">{children}</g>
    </>
  )
}

export function Eyes({ x = 45, y }: { x?: number; y: number }) {
  const eyes = [x, 120 - x]
  return eyes.map((cx) => (
    <g key={cx}>
      <circle className="ink" cx={cx} cy={y} r="5" />
      <circle className="white" cx={cx + 1.6} cy={y - 1.8} r="1.6" />
    </g>
  ))
}

export const smile = (y: number) => <path className="line" d={`M60 ${y}v4c-2 6-9 6-11 1M60 ${y + 4}c2 6 9 6 11 1`} />
export const nose = (y: number, color: string) => (
  <path className={color} d={`M53 ${y}q7-3 14 0c1 5-4 8-7 8s-8-3-7-8Z`} />
)
export const teeth = (y: number) => <rect className="white" x="55.5" y={y} width="9" height="9" rx="2.5" />
export const whiskers = (y: number) => (
  <Pair>{<path className="line thin" d={`M36 ${y}l-20-3M36 ${y + 5}l-19 4`} />}</Pair>
)
export const blush = (x: number, y: number) => (
  <Pair>{<ellipse className="blush" cx={x} cy={y} rx="7" ry="4.5" />}</Pair>
)
