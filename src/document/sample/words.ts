import { faker } from '@faker-js/faker/locale/en'

/*
 * Of faker, only the lists of words are used, with random numbers of our own: its functions take many times as long, and
 * share one generator with all other code in the process.
 */

const { person, location, date, commerce, book, food, word } = faker.definitions

export const FIRST_NAMES: readonly string[] = person.first_name.generic ?? []
export const LAST_NAMES: readonly string[] = person.last_name.generic ?? []
export const JOB_LEVELS = person.job_descriptor
export const JOB_AREAS = person.job_area
export const JOBS = person.job_type
export const CITIES = location.city_name
export const STATES = location.state
export const COUNTRIES = location.country
export const COUNTRY_CODES = location.country_code.map(({ alpha2 }) => alpha2)
export const STREETS = location.street_name
export const TIME_ZONES = date.time_zone
export const COMPANY_TYPES = ['Group', 'Inc', 'LLC', 'Ltd']
export const DEPARTMENTS = commerce.department
export const PRODUCT_ADJECTIVES = commerce.product_name.adjective
export const PRODUCT_MATERIALS = commerce.product_name.material
export const PRODUCTS = commerce.product_name.product
export const BOOK_TITLES = book.title
export const BOOK_AUTHORS = book.author
export const BOOK_GENRES = book.genre
export const PUBLISHERS = book.publisher
export const DISHES = food.dish
export const INGREDIENTS = food.ingredient

/** Short, and without capitals: they also become parts of addresses. */
const isPlain = (each: string) => /^[a-z]{3,9}$/.test(each)

export const ADJECTIVES = word.adjective.filter(isPlain)
export const NOUNS = word.noun.filter(isPlain)
export const VERBS = word.verb.filter(isPlain)
