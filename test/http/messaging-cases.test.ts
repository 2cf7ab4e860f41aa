import test from 'ava'
import type { ExecutionContext } from 'ava'
import { succeed } from '../../src/domain/errors.ts'
import { newId } from '../../src/domain/ids.ts'
import type { ProviderKind } from '../../src/domain/number.ts'
import { caseOf } from '../helpers/messaging-cases.ts'
import { toolClient } from '../helpers/tool-client.ts'
import { open, TO } from './sending-world.ts'

const KINDS = ['OFFICIAL', 'UNOFFICIAL'] as const

/** The outcome of a send, through the route or through the corresponding tool. */
interface Told {
  readonly status: number
  readonly code?: string
  readonly details?: any
}

/** The ways to send from a number of one kind: REST, and tools. */
async function waysIn(t: ExecutionContext, provider: ProviderKind) {
  const { client, key, accepted, world } = await open(t, provider)
  const tools = toolClient(client, key.raw)
  const byRoute = async (body: object): Promise<Told> => {
    const {
      status,
      body: { code, details },
    } = await client.send('POST', '/v1/messages/send', { key: key.raw, body })
    return { status, code, details }
  }
  const byTool = async (body: object): Promise<Told> =>
    (await tools.call('messages_send', body)).refusal ?? { status: 202 }
  return {
    client,
    key,
    accepted,
    world,
    ways: [
      ['REST', byRoute],
      ['a tool', byTool],
    ] as const,
  }
}

const ADDRESSES = caseOf<{ accept: Record<string, string> }>('06-addresses').accept
/** More addresses of this kind, each with the number that it means. */
const MORE_ADDRESSES: Readonly<Record<string, string>> = {
  '+44\u00A0(0)\u00A020\u00A07946\u00A00958': '442079460958',
  '\u2068+44 20 7946\u20110958\u2069': '442079460958',
  '0044 (0) 20 7946 0958': '442079460958',
  '+۴۴ ۲۰ ۷۹۴۶ ۰۹۵۸': '442079460958',
  '+55 (0)11 98888-7777': '5511988887777',
  '+55 011 98888 7777': '5511988887777',
  '+81 90ー1234ー5678': '819012345678',
  '+81［90］1234－5678': '819012345678',
  '+49 (0) 151 / 12345678': '4915112345678',
  '+1\u2007555\u2012000\u20121000': '15550001000',
  '1\uFE0F5550001000': '15550001000',
  '+44 020 7946 0958': '442079460958',
  '+54 11 15 2345 6789': '5491123456789',
}
/** Texts that could be somebody else's number, or that contain two numbers. */
const NOBODY = [
  '020 7946 0958',
  '0207 946 0958',
  '+020 7946 0958',
  '00 0 15550001000',
  '+1 555 000 1000〜1001',
  '+1 555 000 1000~1',
  '+1 555 000 1000 / 1001',
  '+1 555 000 1000 x5',
  '+1 (0) 555 000 1000',
  '+1 555 000 10000',
  '+55 11 98888-777777',
  '+34 0912 345 678',
]

test('messaging-06, [identities.digits.1] [identities.digits.2] [identities.digits.3]: numbers are sent to as they are pasted, and never to one that begins with 0 or that its country cannot have', async (t) => {
  for (const provider of KINDS) {
    const { ways, accepted } = await waysIn(t, provider)
    for (const [way, send] of ways) {
      for (const [destinationNumber, right] of Object.entries({ ...ADDRESSES, ...MORE_ADDRESSES })) {
        t.is((await send({ destinationNumber, text: 'a' })).status, 202, `${way} ${JSON.stringify(destinationNumber)}`)
        t.is(accepted.pop()?.message.to.address, right.split(' ')[0], `${way} ${JSON.stringify(destinationNumber)}`)
      }
      for (const destinationNumber of NOBODY)
        t.is((await send({ destinationNumber, text: 'a' })).status, 400, `${way} ${destinationNumber}`)
      t.is(accepted.length, 0)
    }
  }
})

test('messaging-06: a history is asked for, and people are looked up, called and added to groups, as their numbers are pasted', async (t) => {
  const { client, key, world } = await waysIn(t, 'UNOFFICIAL')
  world.directory.script = {
    checkNumbers: () => succeed([]),
    PlaceCall: () => succeed({ id: newId('call'), externalCallId: 'ext', status: 'INITIATED' }),
    createGroup: () => succeed({ id: '1@g.us', name: 'a', participants: [] }),
  }
  const asked = async (path: string, body: object): Promise<unknown> => {
    await client.send('POST', path, { key: key.raw, body })
    return world.directory.asked.at(-1)?.fields
  }
  for (const [pasted, right] of Object.entries(ADDRESSES)) {
    const [digits] = right.split(' ')
    await client.send('GET', `/v1/messages/history?peer=${encodeURIComponent(pasted)}`, { key: key.raw })
    t.like(world.messages.asked.at(-1), { peer: digits }, JSON.stringify(pasted))
    t.deepEqual(await asked('/v1/numbers/check', { numbers: [pasted] }), { numbers: [digits] }, JSON.stringify(pasted))
    t.like(await asked('/v1/calls', { to: pasted }), { to: digits }, JSON.stringify(pasted))
    t.like(
      await asked('/v1/groups', { subject: 'a', participants: [pasted] }),
      { participants: [digits] },
      JSON.stringify(pasted),
    )
  }
})

test('messaging-06: a number is connected under its digits, however it was pasted, and once', async (t) => {
  const { client, world } = await waysIn(t, 'UNOFFICIAL')
  const statuses: number[] = []
  for (const number of Object.keys(ADDRESSES).filter((pasted) => ADDRESSES[pasted]?.startsWith('15550001000'))) {
    const { status, body } = await client.send('POST', '/v1/numbers', {
      key: world.tenantKey.raw,
      body: { name: 'Desk', number },
    })
    statuses.push(status)
    if (status === 201) t.is(body.number, '15550001000')
  }
  t.deepEqual(statuses, [201, ...statuses.slice(1).map(() => 409)])
})

interface Labels {
  readonly body: { readonly name: string; readonly category: string; readonly language: string; readonly body: object }
  readonly refused: readonly string[]
}
const { body: TEMPLATE, refused: DECORATED } = caseOf<Labels>('08-template-labels')
/** More emoji of this kind. */
const MORE_DECORATED = [
  '❤',
  '1️⃣ first',
  '🇧🇷 Brasil',
  'a\r\nb',
  'a\u2028b',
  '`x`',
  '```x```',
  '*a',
  'so _a b_ it',
  '☎ Call',
]

test('messaging-08: labels and footers with emojis, line breaks or formatting are refused before anything is submitted', async (t) => {
  const { client, key, world } = await waysIn(t, 'OFFICIAL')
  for (const text of [...DECORATED, ...MORE_DECORATED]) {
    const labels = [
      { type: 'QUICK_REPLY', text },
      { type: 'URL', text, url: 'https://shop.io/' },
      { type: 'PHONE_NUMBER', text, phone_number: '+15550001000' },
    ]
    for (const path of ['/v1/templates/preview', '/v1/templates']) {
      const ask = (body: object) =>
        client.send('POST', path, { key: key.raw, body: { ...TEMPLATE, body: { ...TEMPLATE.body, ...body } } })
      for (const button of labels) {
        const { status, body } = await ask({ buttons: [button] })
        t.deepEqual([status, body.code], [400, 'TEMPLATE_BUTTON_INVALID'], `${path} ${JSON.stringify(button)}`)
        t.like(body.details, { upstreamCode: 100, upstreamSubcode: 2388060, field: 'buttons.0.text' })
      }
      const { status, body } = await ask({ buttons: [], footer: { text } })
      t.deepEqual(
        [status, body.code, body.details?.upstreamCode],
        [400, 'TEMPLATE_FOOTER_TEXT_INVALID', 2388072],
        `${path} ${JSON.stringify(text)}`,
      )
    }
  }
  t.is((await client.send('GET', '/v1/templates', { key: key.raw })).body.total, 0)
  t.is(
    (
      await client.send('POST', '/v1/templates/preview', {
        key: key.raw,
        body: {
          ...TEMPLATE,
          body: {
            ...TEMPLATE.body,
            footer: 'Acme® nº 1',
            buttons: [{ type: 'QUICK_REPLY', text: 'Não, obrigado – 100%' }],
          },
        },
      })
    ).status,
    200,
  )
  t.deepEqual(world.messages.accepted, [])
})

test('messaging-09: emojis are one character each, in labels and in texts with buttons', async (t) => {
  const cases = caseOf<{ cases: { send: object; right: string }[] }>('09-lengths').cases
  const { ways } = await waysIn(t, 'OFFICIAL')
  for (const [way, send] of ways) {
    for (const { send: body, right } of cases)
      t.is((await send({ ...TO, ...body })).status, Number(right.slice(0, 3)), `${way} ${right}`)
    const reply = { type: 'QUICK_REPLY', text: 'Ok' }
    for (const [fields, length] of [
      ['header', 60],
      ['footer', 60],
    ] as const) {
      t.is((await send({ ...TO, text: 'q', buttons: [reply], [fields]: '😀'.repeat(length) })).status, 202, fields)
      t.is((await send({ ...TO, text: 'q', buttons: [reply], [fields]: '😀'.repeat(length + 1) })).status, 400, fields)
    }
    const media = { media: 'https://files.example/a.png', mediaType: 'image' }
    t.is((await send({ ...TO, ...media, caption: '😀'.repeat(1_024) })).status, 202)
    t.is((await send({ ...TO, ...media, caption: '😀'.repeat(1_025) })).status, 400)
  }
})

test('messaging-11: texts, labels, ids and codes of white space are refused on both kinds', async (t) => {
  const { cases } = caseOf<{ cases: object[] }>('11-blank')
  const button = (fields: object) => ({ text: 'q', buttons: [{ type: 'QUICK_REPLY', text: 'Ok', ...fields }] })
  for (const provider of KINDS) {
    const { ways, accepted } = await waysIn(t, provider)
    for (const [way, send] of ways) {
      for (const body of cases) t.is((await send({ ...TO, ...body })).status, 400, `${way} ${JSON.stringify(body)}`)
      for (const blank of ['\u00A0', '\u200B\u2060', '\u3164', '\u2800', '\u00AD\t']) {
        for (const body of [
          { text: blank },
          button({ text: blank }),
          button({ id: blank }),
          { ...button({}), header: blank },
        ])
          t.is((await send({ ...TO, ...body })).status, 400, `${way} ${JSON.stringify(body)}`)
      }
    }
    t.is(accepted.length, 0)
  }
  const {
    ways: [[, send]],
  } = await waysIn(t, 'UNOFFICIAL')
  for (const fields of [{ code: ' ' }, { example: ['\u200B'] }])
    t.is(
      (await send({ ...TO, text: 'q', buttons: [{ type: 'COPY_CODE', text: 'Copy', ...fields }] })).status,
      400,
      JSON.stringify(fields),
    )
})

test('messaging-12: variables at the edge behind punctuation, and side by side, are refused as upstream refuses them', async (t) => {
  const { client, key } = await waysIn(t, 'OFFICIAL')
  const { bodies } = caseOf<{ bodies: string[] }>('12-template-edges')
  for (const text of [
    ...bodies,
    '({{a}}) hi',
    'hi {{a}}!?',
    '— {{a}} hi',
    'hi {{a}}\u00A0',
    'Hello {{a}}\u200B{{b}} friend',
    'Hello {{a}} \n {{b}} friend',
  ]) {
    for (const body of [
      { body: { text } },
      {
        body: { text: 'Hello there friend' },
        carousel: {
          cards: [1, 2].map(() => ({
            media: { url: 'https://cdn.shop.io/a.png' },
            body: { text },
            buttons: [{ type: 'QUICK_REPLY', text: 'Yes' }],
          })),
        },
      },
    ]) {
      const answer = await client.send('POST', '/v1/templates/preview', {
        key: key.raw,
        body: { ...TEMPLATE, body, examples: { a: 'x', b: 'y' } },
      })
      t.deepEqual(
        [answer.status, answer.body.code, answer.body.details?.upstreamCode],
        [400, 'TEMPLATE_BODY_VARIABLE_AT_EDGE', 2388299],
        JSON.stringify(text),
      )
    }
  }
})
