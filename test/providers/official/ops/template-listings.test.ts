import test from 'ava'
import * as fc from 'fast-check'
import type { TemplatesPort } from '../../../../src/ports/official/templates.ts'
import { graphError } from '../scripted-graph.ts'
import type { Asked, Scripted } from '../scripted-graph.ts'
import { SHOWN, ID, openedTemplates, AT, FIELDS } from './template-rig.ts'

/**
 * An account that lists `pageSize` items at a time. A cursor is the number of the next item; the filter matches parts
 * of names.
 */
function listing(
  items: readonly Readonly<Record<string, unknown>>[],
  pageSize: number,
): (asked: Asked) => { json: unknown } {
  return ({ query }) => {
    const found = items.filter(({ name }) => String(name).includes(query['name'] ?? ''))
    const from = Number(query['after'] ?? 0)
    const to = Math.min(from + Math.min(pageSize, Number(query['limit'])), found.length)
    const paging = {
      cursors: { before: String(from), after: String(to) },
      ...(to < found.length ? { next: 'https://graph/next' } : {}),
    }
    return { json: { data: found.slice(from, to), ...(found.length > 0 ? { paging } : {}) } }
  }
}

function many(count: number) {
  return Array.from({ length: count }, (_, n) => ({ ...SHOWN, id: `${ID}${n}`, name: `order_${n}` }))
}

async function pagesOf(templates: TemplatesPort) {
  const pages = []
  for (let after: string | null = null, isLast = false; !isLast;) {
    const page = await templates.page(after)
    if (!page.ok) return { pages, failed: page.error }
    pages.push(page.value.templates.map(({ name }) => name))
    after = page.value.next
    isLast = after === null
  }
  return { pages, failed: null }
}

test('all templates are listed a hundred at a time, along upstream’s cursors', async (t) => {
  const { server, templates } = await openedTemplates(t)
  for (const [count, sizes] of [
    [0, [0]],
    [1, [1]],
    [99, [99]],
    [100, [100, 0]],
    [101, [100, 1]],
    [250, [100, 100, 50]],
  ] as const) {
    server.asked.length = 0
    server.on(`GET ${AT}`, listing(many(count), 100))
    const { pages, failed } = await pagesOf(templates)
    t.is(failed, null)
    t.deepEqual(
      pages.map(({ length }) => length),
      sizes,
    )
    t.deepEqual(
      pages.flat(),
      many(count).map(({ name }) => name),
    )
    t.true(server.asked.every(({ query }) => query['fields'] === FIELDS && query['limit'] === '100'))
  }
  server.on(`GET ${AT}`, listing(many(5), 2))
  t.deepEqual(
    (await pagesOf(templates)).pages.map(({ length }) => length),
    [2, 2, 1],
    'upstream may show fewer',
  )
})

test('a listing that breaks on its second page of three is a failure, and no short listing', async (t) => {
  const { server, templates } = await openedTemplates(t)
  const whole = listing(many(250), 100)
  const second =
    (answer: Scripted): Scripted =>
    (asked) =>
      asked.query['after'] === '100' ? (typeof answer === 'function' ? answer(asked) : answer) : whole(asked)
  const page = (more: object) => ({
    json: {
      data: many(100),
      paging: { cursors: { before: '100', after: '200' }, next: 'https://graph/next' },
      ...more,
    },
  })
  const breaks: readonly Scripted[] = [
    graphError(2, 503),
    graphError(190, 401),
    'drop',
    { text: '{"data":[' },
    { json: {} },
    { json: { data: {} } },
    page({ paging: { next: 'https://graph/next' } }),
    page({ paging: { cursors: { after: '100' }, next: 'https://graph/next' } }),
    // A full page whose cursor does not advance.
    page({ paging: { cursors: { after: '100' } } }),
  ]
  for (const [index, answer] of breaks.entries()) {
    server.on(`GET ${AT}`, second(answer))
    const { pages, failed } = await pagesOf(templates)
    t.is(pages.length, 1, String(index))
    t.is(failed?.code, index === 1 ? 'OFFICIAL_REQUEST_REFUSED' : 'OFFICIAL_ERROR', String(index))
    t.like(
      await templates.find('order_249', 'pt_BR'),
      { ok: true },
      'a filter that finds one only is done with the first page',
    )
    t.false((await templates.find('order_', 'pt_BR')).ok, 'a name that may stand behind the break is not missing')
  }
})

test('an unreadable item of a page is skipped, the others are listed, and no template counts as missing', async (t) => {
  const { server, templates } = await openedTemplates(t)
  for (const none of [
    null,
    'x',
    { id: 'x' },
    { ...SHOWN, name: '漢'.repeat(513) },
    { ...SHOWN, language: undefined },
  ]) {
    server.on(`GET ${AT}`, { json: { data: [...many(2), none] } })
    t.like(await templates.page(null), { ok: true, value: { templates: { length: 2 }, next: null, isWhole: false } })
    t.like(await templates.find('order_1', 'pt_BR'), { ok: true, value: { name: 'order_1' } })
    t.like(
      await templates.find('order_9', 'pt_BR'),
      { ok: false, error: { code: 'OFFICIAL_ERROR' } },
      'it may be what cannot be read',
    )
  }
})

test('a page as large as templates get is read', async (t) => {
  const { server, templates } = await openedTemplates(t)
  const cards = Array.from({ length: 10 }, () => ({
    components: [
      { type: 'BUTTONS', buttons: Array.from({ length: 2 }, () => ({ type: 'URL', url: 'x'.repeat(2_000) })) },
    ],
  }))
  server.on(`GET ${AT}`, {
    json: { data: many(100).map((one) => ({ ...one, components: [{ type: 'CAROUSEL', cards }] })) },
  })
  const page = await templates.page(null)
  t.is(page.ok && page.value.templates.length, 100)
})

test('a template is found by its whole name and its language, whatever contains it', async (t) => {
  const { server, templates } = await openedTemplates(t)
  const account = [
    { ...SHOWN, id: '1', name: 'order_sent' },
    { ...SHOWN, id: '2', name: 'order_sen', language: 'en_US' },
    { ...SHOWN, id: '3', name: 'reorder_sen' },
    { ...SHOWN, id: '4', name: 'order_sen', status: 'DELETED' },
    { ...SHOWN, id: '5', name: 'order_sen', status: 'PENDING_DELETION' },
  ]
  server.on(`GET ${AT}`, listing(account, 2))
  const idOf = async (name: string, language: string) => {
    const found = await templates.find(name, language)
    return found.ok ? (found.value?.externalId ?? null) : found.error.code
  }
  t.deepEqual(
    await Promise.all([
      idOf('order_sen', 'pt_BR'),
      idOf('order_sen', 'en_US'),
      idOf('order_sen', 'en-US'),
      idOf('order_sen', 'en'),
      idOf('order_sent', 'pt_BR'),
      idOf('order_se', 'pt_BR'),
      idOf('constructor', 'pt_BR'),
    ]),
    ['5', '2', '2', null, '1', null, null],
  )
})

test('whatever an account has, a name and language is found exactly when it is there', async (t) => {
  const { server, templates } = await openedTemplates(t)
  const name = fc.constantFrom('order', 'order_sen', 'order_sent', 'reorder_sent', 'o', 'sent')
  const language = fc.constantFrom('en', 'en_US', 'pt_BR')
  const item = fc.record({ name, language, status: fc.constantFrom('APPROVED', 'PENDING', 'DELETED') })
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(item, { maxLength: 12, selector: (one) => `${one.name} ${one.language}` }),
      fc.integer({ min: 1, max: 4 }),
      name,
      language,
      async (account, size, wanted, code) => {
        server.on(
          `GET ${AT}`,
          listing(
            account.map((one, n) => ({ ...SHOWN, ...one, id: String(n + 1) })),
            size,
          ),
        )
        const at = account.findIndex((one) => one.name === wanted && one.language === code && one.status !== 'DELETED')
        const found = await templates.find(wanted, code)
        t.true(found.ok)
        t.is(found.ok && (found.value?.externalId ?? null), at < 0 ? null : String(at + 1))
      },
    ),
    { numRuns: 60 },
  )
})

test('a look-up whose listing does not end is given up', async (t) => {
  const { server, templates } = await openedTemplates(t)
  server.on(`GET ${AT}`, ({ query }) => ({
    json: {
      data: [SHOWN],
      paging: { cursors: { after: String(Number(query['after'] ?? 0) + 1) }, next: 'https://graph/next' },
    },
  }))
  t.false((await templates.find('order_sen', 'pt_BR')).ok)
  t.is(server.asked.length, 100)
})
