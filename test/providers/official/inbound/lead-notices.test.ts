import test from 'ava'
import * as fc from 'fast-check'
import { readLeadNotices } from '../../../../src/providers/official/inbound/lead-notices.ts'

const LONG = '12345678901234567891'

function read(text: string) {
  return readLeadNotices(Buffer.from(text))
}

function told(
  value: string,
  around: { readonly object?: string; readonly field?: string; readonly entryId?: string } = {},
): string {
  const { object = '"page"', field = '"leadgen"', entryId = '"77"' } = around
  return `{"object":${object},"entry":[{"id":${entryId},"time":1700000000,"changes":[{"field":${field},"value":${value}}]}]}`
}

const NOTICE = { leadgenId: LONG, pageId: '77', formId: '88', adId: '99' }

// [leads.webhook.5]
test('ids of a notice are kept digit by digit, whether they come as numbers or as texts', (t) => {
  const texts = `{"leadgen_id":"${LONG}","page_id":"${LONG}1","form_id":"${LONG}2","ad_id":"${LONG}3","adgroup_id":"${LONG}3","created_time":1700000000}`
  const expected = {
    ok: true,
    notices: [{ leadgenId: LONG, pageId: `${LONG}1`, formId: `${LONG}2`, adId: `${LONG}3` }],
  } as const
  t.deepEqual(read(told(texts)), expected)
  t.deepEqual(read(told(texts.replaceAll(/"(\d+)"/g, '$1'))), expected)
  t.deepEqual(read(told('{"leadgen_id":5,"page_id":6,"form_id":7}')), {
    ok: true,
    notices: [{ leadgenId: '5', pageId: '6', formId: '7', adId: null }],
  })
})

// [leads.webhook.6]
test('an ad id of 0, "0", nothing or nonsense is read as no ad', (t) => {
  for (const ad of ['0', '"0"', 'null', '""', '"a1"', '-5', '1.5', '[]', 'true']) {
    t.deepEqual(
      read(told(`{"leadgen_id":"${LONG}","page_id":77,"form_id":88,"ad_id":${ad}}`)),
      { ok: true, notices: [{ ...NOTICE, adId: null }] },
      ad,
    )
  }
})

test('several entries and changes are read in order, each lead once of each Page', (t) => {
  const change = (lead: number, page = 77) => ({
    field: 'leadgen',
    value: { leadgen_id: lead, page_id: page, form_id: 88, ad_id: 99 },
  })
  const body = {
    object: 'page',
    entry: [
      { id: '77', changes: [change(2), change(1), change(2)] },
      { id: '78', changes: [change(3, 78), change(1), change(1, 78)] },
      { id: '79' },
      null,
      5,
    ],
  }
  const notices = readLeadNotices(Buffer.from(JSON.stringify(body)))
  t.true(notices.ok)
  if (notices.ok)
    t.deepEqual(
      notices.notices.map(({ leadgenId, pageId }) => [leadgenId, pageId]),
      [
        ['2', '77'],
        ['1', '77'],
        ['3', '78'],
        ['1', '78'],
      ],
    )
})

test('the entry names the Page where the notice does not', (t) => {
  t.deepEqual(read(told(`{"leadgen_id":${LONG},"form_id":88,"ad_id":99}`, { entryId: LONG })), {
    ok: true,
    notices: [{ ...NOTICE, pageId: LONG }],
  })
})

test('other objects and fields, and notices without a lead or a Page, are ignored', (t) => {
  const value = `{"leadgen_id":"${LONG}","page_id":"77","form_id":"88"}`
  const silent = [
    told(value, { object: '"whatsapp_business_account"' }),
    told(value, { object: 'null' }),
    told(value, { field: '"feed"' }),
    told(value, { field: '"leadgen_update"' }),
    told(value, { field: '7' }),
    told('null'),
    told('"leadgen"'),
    told('[]'),
    told('{}'),
    told('{"leadgen_id":0,"page_id":77}'),
    told('{"leadgen_id":"x","page_id":77}'),
    told('{"leadgen_id":{"a":1},"page_id":77}'),
    told(`{"leadgen_id":"${'1'.repeat(65)}","page_id":77}`),
    told('{"leadgen_id":5}', { entryId: 'null' }),
    '{"object":"page","entry":[]}',
    '{"object":"page","entry":[{"changes":{}},{"changes":[null,1,"x",[]]}]}',
  ]
  for (const text of silent) t.deepEqual(read(text), { ok: true, notices: [] }, text.slice(0, 120))
})

test('a body without entries cannot be read, and no body makes the reader throw', (t) => {
  const deep = `{"object":"page","entry":[12345678901234567890,${'['.repeat(200_000)}${']'.repeat(200_000)}]}`
  for (const text of ['', 'null', '[]', '7', '{', '{}', '{"object":"page"}', '{"object":"page","entry":{}}', deep])
    t.deepEqual(read(text), { ok: false, reason: 'unreadable' }, text.slice(0, 40))
  t.deepEqual(readLeadNotices(Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])), {
    ok: false,
    reason: 'unreadable',
  })
  t.notThrows(() => fc.assert(fc.property(fc.string(), (text) => void read(text))))
  t.notThrows(() => fc.assert(fc.property(fc.jsonValue(), (value) => void read(told(JSON.stringify(value))))))
})

test('twice as many notices as upstream posts are read whole, and more are not', (t) => {
  const bodyOf = (count: number) =>
    Buffer.from(
      told('null').replace(
        /"changes":\[.*?\]/,
        `"changes":[${Array.from({ length: count }, (_, at) => `{"field":"leadgen","value":{"leadgen_id":${at + 1},"page_id":7}}`).join(',')}]`,
      ),
    )
  const most = readLeadNotices(bodyOf(2_000))
  t.true(most.ok)
  if (most.ok) t.is(most.notices.length, 2_000)
  t.deepEqual(readLeadNotices(bodyOf(2_001)), { ok: false, reason: 'too-many' })
})
