export const SCHEMES = ['light', 'dark'] as const
export type Scheme = (typeof SCHEMES)[number]

/** Colours by what they are for. Every `Ink` can be read on every `Surface`; a test computes the contrast. */
export type Ink = 'text' | 'muted' | 'blue' | 'green' | 'yellow' | 'red' | 'magenta' | 'cyan'
export type Surface = 'background' | 'panel' | 'highlight'
export type Colour = Ink | Surface | 'border' | 'bar' | 'quietBar'

export const PALETTES: Readonly<Record<Scheme, Readonly<Record<Colour, string>>>> = {
  light: {
    background: '#ffffff',
    panel: '#f3f5f8',
    highlight: '#e2eefc',
    border: '#8c959f',
    bar: '#0a5dc2',
    quietBar: '#8c959f',
    text: '#1b2027',
    muted: '#505963',
    blue: '#0a4fa6',
    green: '#0f5f28',
    yellow: '#7a4a00',
    red: '#a8171f',
    magenta: '#6b33b0',
    cyan: '#0b5a68',
  },
  dark: {
    background: '#0d1117',
    panel: '#1a212b',
    highlight: '#12304f',
    border: '#6e7681',
    bar: '#4493f8',
    quietBar: '#6e7681',
    text: '#e9eef4',
    muted: '#a9b3be',
    blue: '#79b8ff',
    green: '#56d364',
    yellow: '#e3b341',
    red: '#ff8f86',
    magenta: '#d2a8ff',
    cyan: '#76d9e6',
  },
}

export const INKS = ['text', 'muted', 'blue', 'green', 'yellow', 'red', 'magenta', 'cyan'] as const satisfies Ink[]
export const SURFACES = ['background', 'panel', 'highlight'] as const satisfies Surface[]
