/** Objects in the body of a list that describe the page. Like all names here but those of headers, they are normalized. */
export const ABOUT_PAGE =
  /^(links?|page|pages|(page|paging|pagination)?info|cursors?|resultinfo|resultset)$|(meta|metadata|paging|pagination)$/

export type Relation = 'self' | 'first' | 'prev' | 'next' | 'last'

/** What the property is of: `nextPageToken`, `prev`, `endCursor`. */
export const RELATIONS: readonly (readonly [name: RegExp, Relation])[] = [
  [
    /^(next|lastevaluated|after$|endcursor$|continuation|continue$|cursor$|marker$|pagetoken$|iterator$|scroll(id|param)$)/,
    'next',
  ],
  [/^(prev|before$|startcursor$)/, 'prev'],
  [/^first/, 'first'],
  [/^last/, 'last'],
  [/^(self|current)/, 'self'],
]

/** Whether a text is an address, rather than a cursor. */
export const ADDRESS = /(url|uri|href|link|path)$/

/** Whether it is a cursor, rather than an address. */
export const CURSOR = /cursor|token|marker|continu|iterator|scroll/

/** What objects call the position of another page: `next: { cursor }`. */
export const POSITION = /^(cursor|token|offset|page|startingafter|after|before|value)$/

/** Numbers and truths about a page, by their names in bodies and headers. */
export const FACTS = {
  total: 'total totalcount totalitems totalresults totalelements totalrecords totalrows totalhits totalentries',
  /** The same, unless a total is beside it. */
  count: 'count resultcount recordcount numfound',
  returned: 'numberofelements returned pageitems',
  offset: 'offset skip start startindex startat from',
  size: 'limit size perpage pagesize itemsperpage pagelen pagelength maxresults take',
  page: 'page currentpage pagenumber pageindex number current',
  pages: 'totalpages pages pagecount numpages pagestotal numberofpages',
  lastPage: 'lastpage',
  hasMore: 'hasmore hasnext hasnextpage more moreavailable hasmoreitems hasmoreresults istruncated truncated',
  hasPrevious: 'hasprevious hasprev hasprevpage haspreviouspage',
  isLast: 'last islast islastpage done isdone',
  isFirst: 'first isfirst isfirstpage',
  isEmpty: 'empty isempty',
}

/** What headers have before such a name: `X-Pagination-Total`. */
export const HEADER_PREFIX = /^x-(pagination-)?|^pagination-/i

/** Headers with the position of another page, without the prefix. */
export const POSITION_HEADER = /^(next|prev(ious)?)(page|cursor|offset|(page)?token)$/

/** The relations of links to other pages, in the header `Link`. */
export const LINK_RELATIONS = ['first', 'prev', 'previous', 'next', 'last']
