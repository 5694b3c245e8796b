import { describe, expect, it } from 'vitest'
import { type Admin, ApiFailure } from '../../src/dashboard/api.js'
import { toText } from '../../src/dashboard/components/values.js'
import {
  type CollectionView,
  type Column,
  canBeRemoved,
  findCollection,
  formColumns,
  idOf,
  linksOf,
  nameOf,
  type Row,
  titleOf,
  toBody,
  toCollectionViews,
} from '../../src/dashboard/data/collections.js'
import { readDetails } from '../../src/dashboard/data/context.js'
import { toLabel } from '../../src/dashboard/format.js'

const field = (property: string, more: Partial<Admin['CollectionField']> = {}): Admin['CollectionField'] => ({
  property,
  type: 'string',
  required: false,
  readOnly: false,
  ...more,
})

const INT64 = { type: 'integer', format: 'int64' } as const
const ID = field('id', { ...INT64, readOnly: true })

const collection = (given: Partial<Admin['Collection']> & { name: string }): Admin['Collection'] => ({
  noun: given.name.replace(/s$/, ''),
  title: toLabel(given.name),
  path: `/${given.name}`,
  id: { property: 'id', kind: 'int64' },
  fields: [ID],
  filters: [],
  create: true,
  update: 'PUT',
  delete: true,
  ...given,
})

const AUTHORS = collection({
  name: 'authors',
  fields: [ID, field('email'), field('name', { required: true }), field('about'), field('state', { isKept: true })],
})
const BOOKS = collection({
  name: 'books',
  fields: [
    ID,
    field('title', { required: true }),
    field('authorId', { ...INT64, required: true, reference: 'authors', preventsDeletion: true }),
    field('pages', { type: 'integer' }),
    field('price', { type: 'number' }),
    field('printedAt', { format: 'date-time' }),
    field('soldSince', { format: 'date' }),
    field('isLent', { type: 'boolean' }),
    field('state', { enum: ['new', 'used'] }),
    field('tags', { type: 'array' }),
  ],
  filters: [
    { parameter: 'title', property: 'title', type: 'string', isList: false },
    { parameter: 'author', property: 'authorId', type: 'integer', isList: false },
    { parameter: 'state', property: 'state', type: 'string', enum: ['new', 'used'], isList: true },
    { parameter: 'maxPages', type: 'integer', isList: false },
  ],
})
const STOCK = collection({
  name: 'stock',
  title: 'Stock',
  id: { property: 'bookId', kind: 'int64' },
  fields: [field('bookId', { ...INT64, readOnly: true }), field('units', { type: 'integer', required: true })],
  create: false,
  delete: false,
  view: 'books',
})
const LOANS = collection({
  name: 'loans',
  fields: [ID, field('bookId', { ...INT64, reference: 'books' }), field('until', { format: 'date-time' })],
  filters: [{ parameter: 'bookId', property: 'bookId', type: 'integer', isList: false }],
  update: 'PATCH',
})

const VIEWS = toCollectionViews([AUTHORS, BOOKS, STOCK, LOANS])
const view = (name: string, views = VIEWS) => findCollection(views, name) as CollectionView

describe('a label', () => {
  it.each([
    ['id', false, 'Id'],
    ['shipDate', false, 'Ship date'],
    ['ship_date', false, 'Ship date'],
    ['bookId', false, 'Book id'],
    ['bookId', true, 'Book'],
    ['parent_book_id', true, 'Parent book'],
    ['id', true, 'Id'],
    ['author', true, 'Author'],
    ['isbn13', false, 'Isbn13'],
    ['imageURL', false, 'Image url'],
    ['metadata.name', false, 'Metadata name'],
    ['$', false, '$'],
  ])('of %j, a reference: %j, is %j', (name, isReference, label) => {
    expect(toLabel(name, isReference)).toBe(label)
  })
})

describe('the columns of a collection', () => {
  it('are its fields, with their types', () => {
    expect(view('books').columns.map(({ name, label, type }) => [name, label, type])).toEqual([
      ['id', 'Id', 'id'],
      ['title', 'Title', 'text'],
      ['authorId', 'Author', 'id'],
      ['pages', 'Pages', 'integer'],
      ['price', 'Price', 'number'],
      ['printedAt', 'Printed at', 'date-time'],
      ['soldSince', 'Sold since', 'date'],
      ['isLent', 'Is lent', 'boolean'],
      ['state', 'State', 'choice'],
      ['tags', 'Tags', 'json'],
    ])
  })

  it('start with the id, wherever a record has it', () => {
    const nested = collection({
      name: 'nodes',
      id: { property: 'metadata.name', kind: 'text' },
      fields: [field('metadata', { type: 'object' })],
    })
    const last = collection({
      name: 'tags',
      id: { property: 'slug', kind: 'text' },
      fields: [field('a'), field('slug')],
    })
    const views = toCollectionViews([nested, last])
    expect(views.map(({ columns }) => columns.map(({ name, type }) => [name, type]))).toEqual([
      [
        ['metadata.name', 'text'],
        ['metadata', 'json'],
      ],
      [
        ['slug', 'text'],
        ['a', 'text'],
      ],
    ])
    expect(idOf(view('nodes', views), { metadata: { name: 'a/b' } })).toBe('a/b')
  })

  it('lead to the records that they refer to; the id of a view to what it shows', () => {
    const targets = (name: string) => view(name).columns.map(({ of }) => of)
    expect(targets('books').slice(0, 3)).toEqual([undefined, undefined, 'authors'])
    expect(targets('stock')).toEqual(['books', undefined])
  })
})

describe('the filters of a collection', () => {
  it('are those of its list operation, with what is known of the property', () => {
    expect(view('books').filters).toEqual([
      { name: 'title', type: 'text' },
      { name: 'author', type: 'id', of: 'authors' },
      { name: 'state', type: 'choice', options: ['new', 'used'] },
      { name: 'maxPages', type: 'integer' },
    ])
  })
})

describe('a record', () => {
  it('has a title, and a name that people know it by', () => {
    expect([titleOf(view('books'), '7'), titleOf(view('stock'), '7')]).toEqual(['Book 7', 'Stock of book 7'])
    expect(nameOf(view('authors'), { id: 1, email: 'a@b', name: 'Ada' })).toBe('Ada')
    expect(nameOf(view('authors'), { id: 1, name: '' })).toBe('')
    expect([nameOf(view('authors'), { id: 1 }), nameOf(view('loans'), { id: 2 })]).toEqual(['Author 1', 'Loan 2'])
  })

  it.each([
    ['authors', { id: 1 }, ['/data/books?author=1 Books']],
    [
      'books',
      { id: 9223372036854775807n },
      ['/data/stock/9223372036854775807 Stock', '/data/loans?bookId=9223372036854775807 Loans'],
    ],
    ['stock', { bookId: 1 }, ['/data/loans?bookId=1 Loans']],
    ['loans', { id: 1, bookId: 2 }, ['/data/stock/2 Stock']],
    ['loans', { id: 1 }, []],
  ])('of %s has links to its views, to what refers to it, and to views of what it refers to', (name, row, links) => {
    expect(linksOf(view(name), row).map((link) => link.join(' '))).toEqual(links)
  })
})

describe('the details of records', () => {
  const readWith = (api: object, name: string, row: object) =>
    readDetails(api as never, VIEWS, view(name), [row as never])
  const counting = (count: number) => ({
    async readList(...asked: unknown[]) {
      expect(asked).toEqual(['books', { author: '1', limit: 1 }])
      return { headers: new Headers({ 'X-Total-Count': String(count) }) }
    },
  })

  it('call a record deleted only if the mock says so', async () => {
    const readNames = async (code: string) =>
      (
        await readWith({ admin: async () => Promise.reject(new ApiFailure(code, '', 404)) }, 'loans', {
          id: 1,
          bookId: 2,
        })
      ).names
    expect(await readNames('RECORD_NOT_FOUND')).toEqual(new Map([['books/2', 'deleted']]))
    await expect(readNames('NO_RESPONSE')).rejects.toThrow(ApiFailure)
  })

  it.each([
    [0, undefined],
    [1, 'It has 1 book.'],
    [2, 'It has 2 books.'],
  ])('say why a record cannot be deleted: %i that refer to it', async (count, obstacle) => {
    const { obstacles } = await readWith(counting(count), 'authors', { id: 1 })
    expect(obstacles.get('1')).toBe(obstacle)
  })

  it('do not count records that may be left without what they refer to', async () => {
    const admin = async () => ({ id: 1, name: 'Ada' })
    expect((await readWith({ admin }, 'books', { id: 1, authorId: 1 })).obstacles).toEqual(new Map())
  })
})

describe('a form', () => {
  it('sends exact ids, leaves out empty values, and leaves it to the API to reject a value', () => {
    const values = { title: '', authorId: '9223372036854775807', state: '' }
    expect(toBody(view('books'), values, undefined)).toEqual({ title: '', authorId: 9223372036854775807n })
    expect(toBody(view('books'), { title: 'A', authorId: 'Ada' }, undefined)).toEqual({ title: 'A', authorId: 'Ada' })
  })

  it('sends values of all types', () => {
    const values = {
      pages: '3',
      price: '1.5',
      printedAt: '2030-01-02',
      soldSince: '2030-01-02',
      isLent: 'false',
      tags: '[1]',
    }
    expect(toBody(view('books'), values, undefined)).toEqual({
      title: '',
      pages: 3,
      price: 1.5,
      printedAt: '2030-01-02T00:00:00Z',
      soldSince: '2030-01-02',
      isLent: false,
      tags: [1],
    })
  })

  it('sends only changed fields in a PATCH', () => {
    const views = toCollectionViews([{ ...BOOKS, update: 'PATCH' }])
    const row = { id: 1, title: 'A', authorId: 2, isLent: false, tags: ['a', { b: 1n }] }
    const texts = Object.fromEntries(
      view('books', views).columns.map(({ name, type }) => [name, toText(type, (row as Row)[name])]),
    )
    expect(toBody(view('books', views), texts, row)).toEqual({})
    expect(toBody(view('books', views), { ...texts, isLent: 'true' }, row)).toEqual({ isLent: true })
  })

  it('has the id of a new record if clients choose it, and repeats it in a PUT', () => {
    const tags = view('tags', toCollectionViews([collection({ name: 'tags', fields: [field('id'), field('a')] })]))
    const names = (isNew: boolean) => formColumns(tags, isNew).map(({ name }) => name)
    expect([names(true), names(false)]).toEqual([['id', 'a'], ['a']])
    expect(toBody(tags, { a: 'x' }, { id: 'b', a: 'y' })).toEqual({ id: 'b', a: 'x' })
  })

  it('can remove a value only if it is optional, and replaced', () => {
    const removable = (name: string) =>
      view(name)
        .columns.filter((column: Column) => canBeRemoved(view(name), column))
        .map(({ name }) => name)
    expect(removable('authors')).toEqual(['id', 'email', 'about'])
    expect(removable('loans')).toEqual([])
  })

  it('says that a record does not exist next to the field that refers to it', () => {
    expect(view('books').rejections).toEqual({
      UNKNOWN_AUTHOR: ['authorId', 'there is no author with this id. Choose one from the list.'],
    })
  })
})
