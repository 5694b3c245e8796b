/** Formats of texts. */
// biome-ignore format: a line each would be half a page
export type TextFormat =
  | 'email' | 'hostname' | 'ipv4' | 'phone' | 'uri' | 'uuid' | 'color' | 'decimal' | 'date-time' | 'date'

/** Texts without a format of their own. */
// biome-ignore format: a line each would be half a page
export type TextKind =
  | 'firstName' | 'lastName' | 'userName' | 'slug' | 'fileName' | 'bookTitle' | 'person' | 'bookAuthor'
  | 'bookGenre' | 'publisher' | 'company' | 'product' | 'dish' | 'ingredient' | 'city' | 'countryCode'
  | 'country' | 'state' | 'street' | 'department' | 'job' | 'name' | 'sentence' | 'postcode' | 'timeZone'
  | 'isbn' | 'version' | 'mediaType' | 'token' | 'noun' | 'id'

/**
 * The end of a property's name in snake case, after the name of what it belongs to, and a text for it, or the texts to choose
 * from. The first that fits is used.
 */
export const TEXTS: readonly (readonly [name: RegExp, TextFormat | TextKind | readonly string[]])[] = [
  [/email(_address)?$/, 'email'],
  [/(first|given)_?name$/, 'firstName'],
  [/(last|family|sur)_?name$/, 'lastName'],
  [/user_?name$|login$|nick_?name$|handle$/, 'userName'],
  [/slug$/, 'slug'],
  [/file_?name$/, 'fileName'],
  [/host(_?name)?$|domain(_name)?$/, 'hostname'],
  [/book_(title|name)$/, 'bookTitle'],
  [/(full|display|real)_?name$|^contact$|^assignee$/, 'person'],
  [/(owner|customer|user|person|people|member|employee|contact|patient|student|teacher|vet|guest)_?name$/, 'person'],
  [/author(_name)?$/, 'bookAuthor'],
  [/genre(_name)?$/, 'bookGenre'],
  [/publisher(_name)?$/, 'publisher'],
  [/(company|organi[sz]ation|vendor|supplier|brand|manufacturer|employer)(_?name)?$/, 'company'],
  [/(product|article|merchandise)_?(name|title)$|^product$/, 'product'],
  [/(dish|meal|recipe|menu_item)_?(name|title)$|^dish$/, 'dish'],
  [/ingredient(_name)?$/, 'ingredient'],
  [/(city|town|place)(_name)?$/, 'city'],
  [/country_?code$/, 'countryCode'],
  [/country(_name)?$/, 'country'],
  [/(state|province)_name$|province$/, 'state'],
  [/street(_name)?$|address(_?1)?$|line_?1$/, 'street'],
  [/department(_name)?$/, 'department'],
  [/job_?title$|profession$|occupation$/, 'job'],
  [/name$|title$|label$|subject$/, 'name'],
  [/description$|summary$|comment$|message$|body$|content$|notes?$|bio$|(^|_)text$|reason$/, 'sentence'],
  [/_ip$|^ip$|ip_?address$/, 'ipv4'],
  [/zip(_?code)?$|post(al)?_?code$/, 'postcode'],
  [/(phone|telephone)(_?number)?$|mobile$/, 'phone'],
  [/ur[li]$|href$|link$|website$|avatar$|image$|photo$/, 'uri'],
  [/uuid$|guid$/, 'uuid'],
  [/currency(_code)?$/, ['EUR', 'GBP', 'USD']],
  [/language(_?code)?$|locale$/, ['de', 'en', 'nl']],
  [/time_?zone$/, 'timeZone'],
  [/colou?r$/, 'color'],
  [/isbn(_?13)?$/, 'isbn'],
  [/version$/, 'version'],
  [/(content|media|mime)_?type$/, 'mediaType'],
  [/price$|amount$|cost$|balance$/, 'decimal'],
  [/token$|secret$|key$|hash$|sha$/, 'token'],
  [/_at$|time(stamp)?$|(^|_)(created|updated|modified|published)(_on)?$/, 'date-time'],
  [/date$|birthday$/, 'date'],
  [/status$/, ['active', 'pending']],
  [/tag$|keyword$|topic$/, 'noun'],
  [/user$/, 'slug'],
  [/_id$|^id$/, 'id'],
]

export type Range = readonly [min: number, max: number]

/** The same for numbers. `null` stands for a time in seconds. */
export const RANGES: readonly (readonly [name: RegExp, Range | null])[] = [
  [/_at$|timestamp$|^(created|updated)(_on)?$/, null],
  [/price$|amount$|cost$|fee$|total$|balance$/, [5, 200]],
  [/quantity$|count$/, [1, 20]],
  [/^age$/, [18, 80]],
  [/latitude$|^lat$/, [-60, 60]],
  [/longitude$|^lng$|^lon$/, [-179, 179]],
  [/pages$/, [50, 900]],
  [/year$/, [2000, 2025]],
  [/rating$|score$|stars$/, [1, 5]],
  [/percent(age)?$/, [0, 100]],
]
