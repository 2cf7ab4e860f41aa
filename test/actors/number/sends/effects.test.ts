import test from 'ava'
import fc from 'fast-check'
import { NO_SENDING, sendingReported } from '../../../../actors/number/sends/decide.ts'
import type { ReadyNumber } from '../../../../actors/number/state.ts'
import type { FileId, MessageId } from '../../../../src/domain/ids.ts'
import type { Preparation } from '../../../../src/ports/message-media.ts'
import type { SendResult } from '../../../../src/ports/provider.ts'
import { addOfficial, officialRig } from '../../official-rig.ts'
import { connectedNumber, createRig, pass, settled } from '../../rig.ts'
import { preparedMedia } from '../../scripted-ports.ts'
import { fast, sentTo, held } from './sends-rig.ts'

const FAULT = { code: 'OFFICIAL_ERROR', message: 'Upstream failed', details: null, upstreamCode: null } as const

test('queued messages go out in order within a conversation and side by side across them', async (t) => {
  const rig = createRig({ sending: fast })
  const numberId = await connectedNumber(rig)
  const ids = ['1', '2', '1', '2', '1'].map((address) => rig.messages.add(numberId, address))
  rig.directory.sendsQueued(numberId)
  await pass(rig, 100, 10)
  t.deepEqual(
    ids.map((id) => rig.messages.row(id).status),
    ids.map(() => 'SENT'),
  )
  const order = rig.driver.last.sent.map(({ messageId }) => messageId)
  t.deepEqual(
    order.filter((id) => rig.messages.row(id).message.to.address === '1'),
    [ids[0], ids[2], ids[4]],
  )
  t.is(rig.messages.row(ids[0] ?? 'msg_').externalMessageId, `up-${ids[0]}`)
})

test('whom upstream names by number and by id as it takes a message is stored', async (t) => {
  const rig = createRig({ sending: fast })
  const numberId = await connectedNumber(rig)
  const named = { addresses: ['5511988887777', 'US.13491'] }
  rig.driver.last.sendAnswer = async () => ({ kind: 'sent', externalMessageId: 'up', named })
  const id = rig.messages.add(numberId, '5511988887777')
  rig.directory.sendsQueued(numberId)
  await pass(rig, 100, 10)
  t.is(rig.messages.row(id).status, 'SENT')
  t.deepEqual(rig.messages.names, [named])
})

test('a number with nothing to send looks at its queue once, as it connects, and never again by itself', async (t) => {
  const rig = createRig({ sending: fast })
  await connectedNumber(rig)
  await pass(rig, 10_000)
  t.deepEqual(rig.messages.reads, ['heads', 'due'])
})

test('messages queued while the number is not connected wait, and go as it comes back', async (t) => {
  const rig = createRig({ sending: fast })
  const numberId = await connectedNumber(rig)
  rig.driver.last.linkDown()
  await settled()
  rig.messages.add(numberId, '1')
  rig.directory.sendsQueued(numberId)
  await pass(rig, 2_000)
  t.deepEqual(sentTo(rig), [])
  rig.driver.last.raise({ type: 'state', state: 'OPEN', reason: null })
  await settled()
  t.deepEqual(sentTo(rig), ['1'])
})

test('a row that says OPEN is not taken for a session that does: nothing is tried before it is connected', async (t) => {
  const rig = createRig({ sending: fast })
  const numberId = rig.rows.addNumber({ credentials: 'secret', state: 'OPEN' })
  rig.messages.add(numberId, '1')
  await rig.directory.start()
  await pass(rig, 10_000)
  t.is(rig.driver.sessions.length, 1)
  t.deepEqual(sentTo(rig), [])
  t.false(rig.rows.writes.includes('begin'))
  rig.driver.last.raise({ type: 'state', state: 'OPEN', reason: null })
  await settled()
  t.deepEqual(sentTo(rig), ['1'])
})

test('an OFFICIAL number is started for its messages, stays while it sends, and leaves memory after', async (t) => {
  const rig = officialRig({ sending: fast })
  const numberId = addOfficial(rig.rows)
  rig.messages.add(numberId, '1')
  rig.directory.sendsQueued(numberId)
  await settled()
  t.deepEqual(sentTo(rig), ['1'])
  const answer = held(rig)
  rig.messages.add(numberId, '2')
  rig.directory.sendsQueued(numberId)
  await pass(rig, 120_000)
  t.is(rig.directory.stats().numbers, 1)
  answer.resolve({ kind: 'sent', externalMessageId: 'up-2' })
  await settled()
  await pass(rig, 59_000)
  t.is(rig.directory.stats().numbers, 1)
  await pass(rig, 2_000)
  t.is(rig.directory.stats().numbers, 0)
})

test('a message that is due later goes then: by the timer of a loaded number, by the look for one that left memory', async (t) => {
  const loaded = createRig({ sending: fast, timers: { changesMs: 3_600_000 } })
  loaded.messages.add(await connectedNumber(loaded), '1', { inMs: 30_000 })
  loaded.directory.sendsQueued([...loaded.rows.numbers.keys()][0] ?? 'num_')
  await pass(loaded, 29_000)
  t.deepEqual(sentTo(loaded), [])
  await pass(loaded, 2_000)
  t.deepEqual(sentTo(loaded), ['1'])

  const gone = officialRig({ sending: fast })
  gone.messages.add(addOfficial(gone.rows), '2', { inMs: 300_000 })
  await gone.directory.start()
  await pass(gone, 200_000)
  t.is(gone.directory.stats().numbers, 0)
  await pass(gone, 110_000)
  t.deepEqual(sentTo(gone), ['2'])
})

test('start-up wakes numbers whose messages are due, and one in doubt is not sent again before a status could tell', async (t) => {
  const rig = officialRig({ sending: fast })
  const numberId = addOfficial(rig.rows)
  const doubtful = rig.messages.add(numberId, '1', { attempts: 1, attemptedAt: new Date(rig.clock.now() - 5_000) })
  rig.messages.add(numberId, '2')
  await rig.directory.start()
  await settled()
  t.deepEqual(sentTo(rig), ['2'])
  await pass(rig, 14_000)
  t.deepEqual(sentTo(rig), ['2'])
  rig.messages.move(doubtful, { status: 'DELIVERED' })
  await pass(rig, 10_000)
  t.deepEqual(sentTo(rig), ['2'])
})

test('when another node owns the number, each send is told to it, and the lease is only tried once in a while', async (t) => {
  let asked = 0
  const rig = createRig({
    leases: {
      acquire: async () => {
        asked++
        return null
      },
    },
  })
  const numberId = rig.rows.addNumber({ credentials: 'secret' })
  for (let times = 0; times < 3; times++) {
    rig.directory.sendsQueued(numberId)
    await settled()
  }
  t.deepEqual(rig.told.elsewhere, [numberId, numberId, numberId])
  t.is(asked, 1)
  rig.directory.sendsQueuedElsewhere(numberId)
  await settled()
  t.is(rig.told.elsewhere.length, 3)
  await pass(rig, 5_000)
  rig.directory.sendsQueued(numberId)
  await settled()
  t.is(asked, 2)
})

test('a message from another node wakes the number here', async (t) => {
  const rig = createRig({ sending: fast })
  const numberId = await connectedNumber(rig)
  rig.messages.add(numberId, '1')
  rig.directory.sendsQueuedElsewhere(numberId)
  await settled()
  t.deepEqual(sentTo(rig), ['1'])
})

test('media are prepared before and stay after, and a message without them does not wait', async (t) => {
  const rig = createRig({ sending: fast })
  const numberId = await connectedNumber(rig)
  const ready = Promise.withResolvers<Preparation>()
  rig.files.prepareAnswer = () => ready.promise
  rig.messages.add(numberId, '1', {
    outgoing: { mode: 'media', kind: 'voice', source: { fileId: 'file_a' }, caption: null, fileName: null },
  })
  rig.messages.add(numberId, '2')
  rig.directory.sendsQueued(numberId)
  await settled()
  t.deepEqual(sentTo(rig), ['2'])
  ready.resolve({ ok: true, media: preparedMedia({ kind: 'voice' }) })
  await pass(rig, 100, 10)
  t.like(rig.driver.last.sent.at(-1)?.content, {
    mode: 'media',
    kind: 'voice',
    source: { path: '/tmp/voice', url: 'http://files/1' },
  })
})

test('a carousel is sent with all its images, and none of it when one cannot be had', async (t) => {
  const rig = createRig({ sending: fast })
  const numberId = await connectedNumber(rig)
  const carousel = {
    mode: 'carousel',
    text: 'Choose',
    cards: ['a', 'b'].map((name) => ({ image: { url: `https://example.com/${name}` }, text: name, buttons: [] })),
  } as const
  rig.files.prepareAnswer = (order) =>
    'url' in order.source && order.source.url.endsWith('b') && rig.files.asked.length > 2
      ? { ok: false, failure: { ...FAULT, code: 'MEDIA_UNSUPPORTED' }, isRetryable: false }
      : { ok: true, media: preparedMedia(order) }
  rig.messages.add(numberId, '1', { outgoing: carousel })
  rig.directory.sendsQueued(numberId)
  await settled()
  t.like(rig.driver.last.sent[0]?.content, { mode: 'carousel', cards: [{ text: 'a' }, { text: 'b' }] })
  const failed = rig.messages.add(numberId, '2', { outgoing: carousel })
  rig.directory.sendsQueued(numberId)
  await pass(rig, 100, 10)
  t.like(rig.messages.row(failed), { status: 'FAILED', failure: { code: 'MEDIA_UNSUPPORTED' } })
})

test('files of templates are prepared for each message; one that came from an address is read by its message from then on', async (t) => {
  const rig = createRig({ sending: fast })
  const numberId = await connectedNumber(rig)
  const file = (fileId: FileId, isOwn: boolean) =>
    ({ kind: 'image', source: { fileId }, fileName: null, isOwn }) as const
  rig.messages.add(numberId, '1', {
    outgoing: {
      mode: 'template',
      name: 'shop',
      language: 'pt_BR',
      components: [],
      files: [file('file_t', false), file('file_s', true)],
    },
  })
  rig.messages.add(numberId, '2', {
    outgoing: { mode: 'composed', header: null, body: 'Hi', footer: null, buttons: [], file: file('file_t', false) },
  })
  const fetched = rig.messages.add(numberId, '3', {
    outgoing: {
      mode: 'composed',
      header: null,
      body: 'Hi',
      footer: null,
      buttons: [],
      file: { ...file('file_u', true), source: { url: 'https://a.example/a.png' } },
    },
  })
  rig.messages.add(numberId, '4', {
    outgoing: { mode: 'composed', header: 'a', body: 'Hi', footer: null, buttons: [], file: null },
  })
  rig.directory.sendsQueued(numberId)
  await pass(rig, 100, 10)
  const contentTo = (address: string) => rig.driver.last.sent.find(({ to }) => to.address === address)?.content
  t.like(contentTo('1'), {
    mode: 'template',
    name: 'shop',
    files: [{ source: { path: '/tmp/image' } }, { source: { path: '/tmp/image' } }],
  })
  t.like(contentTo('2'), {
    mode: 'composed',
    body: 'Hi',
    file: { kind: 'image', source: { path: '/tmp/image' }, fileName: null },
  })
  t.deepEqual(contentTo('4'), { mode: 'composed', header: 'a', body: 'Hi', footer: null, buttons: [], file: null })
  t.like(rig.told.known, [{ messageId: fetched, sizeBytes: 1 }])
  t.is(rig.told.known.length, 1)
})

test('a message that upstream refuses for its template is told of; any other is not', async (t) => {
  const rig = createRig({ sending: fast })
  const numberId = await connectedNumber(rig)
  const template = { mode: 'template', name: 'shop', language: 'pt_BR', components: [], files: [] } as const
  const codes = [132001, 132015, 132016, 132000, 131053, null]
  rig.driver.last.sendAnswer = ({ to }) => ({
    kind: 'refused',
    failure: { ...FAULT, upstreamCode: codes[Number(to.address)] ?? null },
  })
  const ids = codes.map((_code, index) => rig.messages.add(numberId, String(index), { outgoing: template }))
  rig.directory.sendsQueued(numberId)
  await pass(rig, 100, 10)
  const tenantId = rig.rows.numbers.get(numberId)?.tenantId
  t.deepEqual(
    rig.told.refused.toSorted((one, other) => one.code - other.code),
    [132001, 132015, 132016].map((code, index) => ({ tenantId, numberId, messageId: ids[index], code })) as never,
  )
  t.true(ids.every((id) => rig.messages.row(id).status === 'FAILED'))
})

test('messages of an OFFICIAL number whose token was refused go once it is taken again', async (t) => {
  const rig = officialRig({ sending: fast, timers: { changesMs: 3_600_000 } })
  const numberId = addOfficial(rig.rows)
  await rig.directory.askNumber(numberId, 'CurrentCode', {})
  rig.driver.last.raise({ type: 'state', state: 'CLOSE', reason: 'banned' })
  await settled()
  rig.messages.add(numberId, '1')
  rig.directory.sendsQueued(numberId)
  await settled()
  t.deepEqual(sentTo(rig), [])
  rig.driver.last.raise({ type: 'state', state: 'OPEN', reason: null })
  await settled()
  t.deepEqual(sentTo(rig), ['1'])
})

test('the report that nothing is left to do only counts if it was made after the last wake', (t) => {
  const state = { sending: { ...NO_SENDING, isOpen: true, isBusy: true, wakes: 2 } } as ReadyNumber
  t.true(sendingReported(state, false, 1).state.sending.isBusy)
  t.false(sendingReported(state, false, 2).state.sending.isBusy)
})

for (const kind of ['OFFICIAL', 'UNOFFICIAL'] as const) {
  test(`${kind}: whatever upstream answers, nobody overtakes in a conversation, and every message ends`, async (t) => {
    const rig = kind === 'OFFICIAL' ? officialRig({ sending: fast }) : createRig({ sending: fast })
    const answers = fc.sample(
      fc.constantFrom<SendResult['kind']>('sent', 'sent', 'refused', 'throttled', 'unsent', 'unknown'),
      { numRuns: 400, seed: 7 },
    )
    let next = 0
    const open = (id: MessageId) => rig.messages.row(id).status === 'QUEUED'
    rig.driver.onOpen = (session) => {
      session.sendAnswer = ({ messageId, to }) => {
        // Every message queued earlier for the same recipient has ended.
        for (const id of ids.slice(0, ids.indexOf(messageId)))
          if (rig.messages.row(id).message.to.address === to.address) t.false(open(id))
        const answer = answers[next++ % answers.length] ?? 'sent'
        if (answer === 'sent') return { kind: 'sent', externalMessageId: `up-${next}` }
        return answer === 'throttled'
          ? { kind: answer, failure: FAULT, afterMs: null, scope: next % 2 ? 'pair' : 'number' }
          : { kind: answer, failure: FAULT }
      }
      setImmediate(() => session.raise({ type: 'state', state: 'OPEN', reason: null }))
    }
    const numberId = kind === 'OFFICIAL' ? addOfficial(rig.rows) : rig.rows.addNumber({ credentials: 'secret' })
    const ids = Array.from({ length: 30 }, (_, index) => rig.messages.add(numberId, `${index % 3}`))
    await rig.directory.start()
    for (let rounds = 0; rounds < 60 && ids.some(open); rounds++) await pass(rig, 20_000, 1_000)
    t.deepEqual(ids.filter(open), [])
    t.true(ids.some((id) => rig.messages.row(id).status === 'SENT'))
    await settled()
    t.is(rig.directory.stats().numbers, 1)
  })
}
