import test from 'ava'
import { createMessages } from '../../../src/commands/messages/messages.ts'
import type { SendInput } from '../../../src/commands/messages/send.ts'
import { newId } from '../../../src/domain/ids.ts'
import type { SendBody } from '../../../src/domain/send-modes.ts'
import { readOrder } from '../../../src/domain/send-reading.ts'
import type { IdempotentRequest } from '../../../src/ports/stores/idempotency-store.ts'
import { World } from '../../helpers/world.ts'
import { FORBIDDEN } from '../../helpers/scripted-messages.ts'
import { numberAsks } from '../../helpers/http-nouns.ts'
import { codeOf, valueOf } from '../outcomes.ts'

const TO = { destinationNumber: '5511999990001' }
const PNG = 'data:image/png;base64,AAAA'

function open() {
  const world = new World()
  const woken: string[] = []
  const sendsQueued = (id: string) => void woken.push(id)
  const messages = createMessages({ ...world, ...numberAsks(world.directory), sendsQueued })
  const order = async (fields: SendBody, claim: SendInput['claim'] = null, number = world.number) => {
    const read = readOrder({ ...TO, ...fields }, number.provider, world.clock.now())
    return read.ok ? messages.send({ number, order: read.value, claim }) : read
  }
  return { world, woken, order }
}

function claimOf(fingerprint: string): SendInput['claim'] {
  const request = { ownerId: newId('num'), key: 'a', fingerprint } as unknown as IdempotentRequest
  return { request, answer: ({ id }) => ({ status: 202, body: id }) }
}

test('a message is stored and its number woken, unless it is to wait', async (t) => {
  const { world, woken, order } = open()
  t.like(valueOf(await order({ text: 'Hi' })), {
    kind: 'accepted',
    message: { type: 'text', to: { type: 'DIRECT', address: TO.destinationNumber } },
  })
  t.deepEqual(woken, [world.number.id])
  await order({ text: 'Later', deliverAt: new Date(world.clock.now() + 60_000).toISOString() })
  t.deepEqual([world.messages.accepted.length, woken.length], [2, 1])
})

test('a first answer is stored with its message and given again; another request under its key is told so', async (t) => {
  const { world, order } = open()
  const claim = claimOf('same')
  const first = valueOf(await order({ text: 'Hi' }, claim))
  t.is(first.kind, 'accepted')
  const [stored] = world.messages.accepted
  t.deepEqual(stored?.claim?.answer, { status: 202, body: stored?.message.id })
  t.deepEqual(valueOf(await order({ text: 'Hi' }, claim)), {
    kind: 'replay',
    answer: { status: 202, body: String(stored?.message.id) },
  })
  t.is(
    valueOf(await order({ text: 'Ho' }, claim && { ...claim, request: { ...claim.request, fingerprint: 'other' } }))
      .kind,
    'reused',
  )
  t.is(world.messages.accepted.length, 1)
})

// [rest.order.1]
test('an invalid message is refused in the order of the checks, and nothing is stored', async (t) => {
  const { world, order } = open()
  const official = world.addOfficial().number
  t.is(codeOf(await order({ groupId: '1@g.us' }, null, official)), 'FEATURE_NOT_SUPPORTED')
  t.is(codeOf(await order({ text: 'Hi', media: PNG })), 'VALIDATION')
  t.is(codeOf(await order({ templateId: 'welcome' })), 'NOT_FOUND')
  t.is(codeOf(await order({ text: 'Hi', quotedMessageId: newId('msg') })), 'NOT_FOUND')
  t.deepEqual(world.messages.accepted, [])
})

test('a quoted message is named as upstream names it', async (t) => {
  const { world, order } = open()
  const quoted = world.messages.add(world.number, { externalMessageId: 'wamid.1' })
  await order({ text: 'Yes', quotedMessageId: quoted.id })
  await order({ text: 'Yes', quotedMessageId: 'wamid.2' })
  t.deepEqual(
    world.messages.accepted.map(({ message }) => message.quotedMessageId),
    ['wamid.1', 'wamid.2'],
  )
})

test('uploaded bytes are released when the message is not accepted', async (t) => {
  const { world, order } = open()
  world.files.refused.set('bytes', FORBIDDEN)
  t.is(codeOf(await order({ media: PNG, mediaType: 'image' })), 'MEDIA_URL_FORBIDDEN')
  world.files.refused.clear()
  world.messages.isGone = true
  t.is(codeOf(await order({ media: PNG, mediaType: 'image' })), 'NUMBER_NOT_FOUND')
  t.deepEqual([world.files.released.length, world.files.kept.size], [2, 0])
})
