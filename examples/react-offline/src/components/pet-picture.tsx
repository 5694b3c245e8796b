import { FURRY } from '../animals/furry'
import { OTHERS } from '../animals/others'

const ANIMALS = { ...FURRY, ...OTHERS }

type Animal = keyof typeof ANIMALS

/** The drawing of a category, by words in its name. */
const SPECIES: [RegExp, Animal, coats: string[]][] = [
  [/dog|pupp/, 'dog', ['honey', 'cocoa', 'cream', 'ash']],
  [/\bcats?\b|kitten/, 'cat', ['ash', 'honey', 'cream', 'cocoa']],
  [/rabbit|bunn/, 'rabbit', ['cream', 'ash', 'cocoa']],
  [/guinea/, 'guineaPig', ['honey', 'cocoa', 'ash']],
  [/hamster|chinchilla/, 'hamster', ['honey', 'cream', 'ash']],
  [/degu|gerbil|\brats?\b|mice|mouse|ferret/, 'mouse', ['cocoa', 'ash', 'honey']],
  [/budgi|parrot|cockat|canar|finch|bird/, 'bird', ['leaf', 'sky', 'sun']],
  [/fish|koi|gupp/, 'fish', ['coral', 'sun', 'sky']],
  [/frog|axolotl|toad|newt/, 'frog', ['leaf', 'teal', 'sun']],
  [/crab/, 'crab', ['coral', 'honey', 'rose']],
  [/tortoise|turtle/, 'tortoise', ['leaf', 'honey', 'teal']],
  [/gecko|dragon|snake|lizard/, 'lizard', ['teal', 'leaf', 'honey']],
]

const UNKNOWN: (typeof SPECIES)[number] = [/$/, 'paw', ['teal', 'rose', 'sky', 'honey']]

/** Decoration: its content is also given as text. */
export function PetPicture({ petId, category = '' }: { petId: number; category?: string }) {
  const name = category.toLowerCase()
  const [, animal, coats] = SPECIES.find(([words]) => words.test(name)) ?? UNKNOWN
  return (
    <div className={`picture coat-${coats[Math.abs(petId) % coats.length]}`}>
      <svg viewBox="0 0 120 120" aria-hidden="true">
        {ANIMALS[animal]}
      </svg>
    </div>
  )
}
