import test from 'ava'
import { KINDS, newPeer, numbersOfBothKinds, send, write, type BothNumbers } from '../helpers/message-service.ts'
import type { PairedNumber, Service } from '../helpers/service.ts'
import { joinService } from '../helpers/shared-service.ts'
import { readyTemplate } from '../helpers/template-service.ts'
import { until } from '../helpers/until.ts'

let service: Service
let numbers: BothNumbers

test.before(async () => {
  service = await joinService()
  numbers = await numbersOfBothKinds(service)
})

async function get(number: PairedNumber, path: string): Promise<any> {
  const { status, body, text } = await service.api('GET', path, number.key)
  if (status !== 200) throw new Error(`${path}: ${status} ${text}`)
  return body
}

/** The conversations that one of the addresses belongs to. */
async function conversationsOf(number: PairedNumber, ...addresses: readonly string[]): Promise<any[]> {
  const { conversations } = await get(number, '/v1/conversations?pageSize=100')
  return conversations.filter(({ from, identities }: any) =>
    [from, ...identities.map(({ value }: any) => value)].some((address) => addresses.includes(address)),
  )
}

async function textsOf(number: PairedNumber, peer: string, direction: 'INBOUND' | 'OUTBOUND'): Promise<string[]> {
  const { messages } = await get(number, `/v1/messages/history?direction=${direction}&peer=${encodeURIComponent(peer)}`)
  return messages.map(({ content }: any) => content)
}

async function change(number: PairedNumber, peer: string, changed: object): Promise<void> {
  await service.control('POST', `/peers/${peer}/changes`, { to: number.digits, ...changed })
}

/** For each country two forms of one person's digits: as people write it, and as upstream knows it. */
const FORMS: readonly (readonly [country: string, forms: (end: string) => readonly [string, string]])[] = [
  ['Brazil', (end) => [`55119876500${end}`, `5511876500${end}`]],
  ['Mexico', (end) => [`5255123456${end}`, `52155123456${end}`]],
  ['Argentina', (end) => [`541123456${end}0`, `5491123456${end}0`]],
]

const HELLO = { body: { body: 'hello' }, examples: {} }

let nth = 10

/** The forms of a person whom no other test knows. */
function nextForms(formsOf: (end: string) => readonly [string, string]): readonly [string, string] {
  return formsOf(String(nth++))
}

for (const [country, formsOf] of FORMS) {
  // messaging-02 [identities.joining.2] [identities.looking-up.1]
  test(`${country}: a send to one form and a message from the other are one conversation with an open window`, async (t) => {
    const number = numbers.OFFICIAL
    const [typed, known] = nextForms(formsOf)
    await service.control('POST', `/peers/${known}/also`, { number: typed })
    // A template, because nobody has written yet: whether a text went out would depend on which came first.
    const template = await readyTemplate(service, number, `hello_${country.toLowerCase()}`, HELLO)
    await send(service, number, { destinationNumber: typed, templateId: template.id })
    await write(service, known, number, { text: 'hi' })
    let found: any[] = []
    const conversation = await until('one with an open window', async () => {
      found = await conversationsOf(number, typed, known)
      return found.length === 1 && found[0].windowExpiresAt !== null && found[0].identities.length === 2 && found[0]
    }).catch((error: unknown) => {
      throw new Error(`${String(error)}; there is ${JSON.stringify(found)}`)
    })
    t.is(conversation.from, known)
    for (const peer of [typed, known]) {
      t.deepEqual(await textsOf(number, peer, 'INBOUND'), ['hi'], peer)
      t.deepEqual(await textsOf(number, peer, 'OUTBOUND'), ['hello'], peer)
    }
  })

  for (const kind of KINDS) {
    // [identities.joining.3]
    test(`${kind}, ${country}: a message from one form first, and a send to the other finds its conversation`, async (t) => {
      const number = numbers[kind]
      for (const [first = '', second = ''] of [nextForms(formsOf), nextForms(formsOf).toReversed()]) {
        await write(service, first, number, { text: 'hi' })
        await until('it is there', async () => (await conversationsOf(number, first)).length === 1)
        await send(service, number, { destinationNumber: second, text: 'hello' })
        t.is((await conversationsOf(number, first, second)).length, 1)
        for (const peer of [first, second]) {
          t.deepEqual(await textsOf(number, peer, 'INBOUND'), ['hi'], peer)
          t.deepEqual(await textsOf(number, peer, 'OUTBOUND'), ['hello'], peer)
        }
      }
    })
  }
}

// messaging-07 [identities.joining.2]
test('a user whose id changes stays one conversation, whose history has what upstream said of it', async (t) => {
  const number = numbers.OFFICIAL
  const peer = newPeer()
  const {
    body: { userId: before },
  } = await service.control('POST', `/peers/${peer}/hide`)
  await write(service, peer, number, { text: 'first' })
  const after = `US.${peer}CCC`
  await change(number, peer, { userId: after })
  await write(service, peer, number, { text: 'second', timestamp: Date.now() + 2_000 })
  const conversation = await until('both are there', async () => {
    const found = await conversationsOf(number, before, after)
    return found.length === 1 && found[0].lastMessagePreview === 'second' && found[0]
  })
  t.is(conversation.from, after)
  t.deepEqual(
    conversation.identities.map(({ kind, value }: any) => [kind, value]).toSorted(),
    [
      ['USER_ID', before],
      ['USER_ID', after],
    ].toSorted(),
  )
  for (const address of [before, after])
    t.deepEqual(
      (await textsOf(number, address, 'INBOUND')).toSorted(),
      ['User changed its id', 'first', 'second'],
      address,
    )
})

// messaging-07 [identities.joining.2] [identities.identities.3]
test('a user who changes number stays one conversation, which answers to the new one', async (t) => {
  const number = numbers.OFFICIAL
  const [before, after] = [newPeer(), newPeer()]
  await write(service, before, number, { text: 'first' })
  await until('it is there', async () => (await conversationsOf(number, before)).length === 1)
  const [old] = await conversationsOf(number, before)
  await change(number, before, { number: after })
  await write(service, after, number, { text: 'second', timestamp: Date.now() + 2_000 })
  const conversation = await until('both are there', async () => {
    const found = await conversationsOf(number, before, after)
    return found.length === 1 && found[0].lastMessagePreview === 'second' && found[0]
  })
  t.is(conversation.id, old.id)
  t.is(conversation.from, after)
  for (const address of [before, after])
    t.deepEqual(
      (await textsOf(number, address, 'INBOUND')).toSorted(),
      [`User changed from ${before} to ${after}`, 'first', 'second'],
      address,
    )
})
