import test from 'ava'
import type { NumberId } from '../../../../src/domain/ids.ts'
import { NO_CONTENT } from '../../../../src/domain/message.ts'
import { DEFAULT_SETTINGS } from '../../../../src/domain/number.ts'
import { StoreAway } from '../../../../src/domain/store-away.ts'
import type { OfficialMessageEvent } from '../../../../src/ports/official/changes.ts'
import { addOfficial, officialRig, post } from '../../official-rig.ts'
import type { Rig } from '../../rig.ts'
import { connectedNumber, createRig, pass, settled } from '../../rig.ts'
import { NO_LIMIT } from '../../sending/table.ts'

const fast = { official: NO_LIMIT, unofficial: NO_LIMIT, lookMs: 0 }
const PEER = '5511988887777'
const image = (url: string) => ({ messageType: 'image', content: { ...NO_CONTENT, media: { id: null, url, mimeType: 'image/png', fileName: null } } })

const incoming = (externalMessageId: string, patch: object = {}) => ({
  type: 'messageReceived' as const, externalMessageId, from: PEER, fromName: 'Ann', to: '551133334444', isFromMe: false, group: null, newsletter: null,
  isStory: false, isHistorical: false, at: new Date(0), messageType: 'text', content: { ...NO_CONTENT, text: externalMessageId }, quotedMessageId: null, ...patch,
})
const report = (externalMessageId: string, status: 'SENT' | 'DELIVERED' | 'READ' | 'FAILED', patch: object = {}) =>
  ({ type: 'messageStatus' as const, externalMessageId, messageId: null, status, failure: null, at: new Date(0), ...patch })

const storedIds = (rig: Rig): string[] => rig.messages.received.map(({ externalMessageId }) => externalMessageId)
const statuses = (rig: Rig): string[] => rig.messages.reports.map(({ status }) => status)
const messageEvents = (rig: Rig): string[] => rig.rows.eventNames().filter((name) => name.startsWith('message.'))

test('a message is stored with its event, settled only then, and upstream told that it was read', async (t) => {
  const rig = createRig()
  await connectedNumber(rig, { settings: { ...DEFAULT_SETTINGS, readMessages: true } })
  rig.rows.failing = 2
  const seq = rig.driver.last.raise(incoming('a'))
  await settled()
  t.false(rig.driver.last.settled.includes(seq))
  t.deepEqual(rig.driver.last.asked, [])
  await pass(rig, 1_000, 50)
  t.deepEqual(storedIds(rig), ['a'])
  t.deepEqual(messageEvents(rig), ['message.received'])
  t.true(rig.driver.last.settled.includes(seq))
  t.deepEqual(rig.driver.last.asked, ['read a'])
})

test('a message told twice is stored and told once, and settled both times', async (t) => {
  const rig = createRig()
  await connectedNumber(rig, { settings: { ...DEFAULT_SETTINGS, readMessages: true } })
  const seqs = [rig.driver.last.raise(incoming('a')), rig.driver.last.raise(incoming('a'))]
  await settled()
  t.deepEqual(storedIds(rig), ['a'])
  t.is(messageEvents(rig).length, 1)
  t.true(seqs.every((seq) => rig.driver.last.settled.includes(seq)))
  t.deepEqual(rig.driver.last.asked, ['read a'])
})

test('what the settings drop is settled and nothing else; new settings hold from the next message', async (t) => {
  const rig = createRig()
  const settings = { ...DEFAULT_SETTINGS, ignoreGroups: true, readMessages: true }
  const numberId = await connectedNumber(rig, { settings })
  const group = { group: { id: '1@g.us', name: null } }
  const seq = rig.driver.last.raise(incoming('a', { ...group, ...image('http://engine/a') }))
  await settled()
  t.true(rig.driver.last.settled.includes(seq))
  t.deepEqual([storedIds(rig), messageEvents(rig), rig.driver.last.asked, rig.files.asked], [[], [], [], []])
  await rig.directory.askNumber(numberId, 'ApplySettings', { settings: DEFAULT_SETTINGS })
  rig.driver.last.raise(incoming('b', group))
  await settled()
  t.deepEqual(storedIds(rig), ['b'])
})

test('media get an address of ours before the message is stored; the order of the conversation holds, others do not wait', async (t) => {
  const rig = createRig()
  await connectedNumber(rig)
  const slow = Promise.withResolvers<{ url: string, mimeType: string, fileName: null }>()
  rig.files.rehostAnswer = () => slow.promise
  rig.driver.last.raise(incoming('a', image('http://engine/a')))
  rig.driver.last.raise(incoming('b'))
  rig.driver.last.raise(incoming('c', { from: '5511966665555' }))
  await settled()
  t.deepEqual(storedIds(rig), ['c'])
  slow.resolve({ url: 'http://files/a', mimeType: 'image/webp', fileName: null })
  await settled()
  t.deepEqual(storedIds(rig), ['c', 'a', 'b'])
  t.deepEqual(rig.messages.received[1]?.content.media, { id: null, url: 'http://files/a', mimeType: 'image/webp', fileName: null })
  t.like(rig.rows.events.find(({ data }) => data.messageId === 'a')?.data, { mediaLink: 'http://files/a', mediaMimeType: 'image/webp' })
})

test('a sound is listened to once its message is stored, other files are not', async (t) => {
  const rig = createRig()
  const numberId = await connectedNumber(rig)
  const fileId = 'file_00000000000000000000000000'
  rig.files.rehostAnswer = () => ({ url: `http://files/media/${fileId}/a`, mimeType: 'audio/ogg', fileName: null, sizeBytes: 5 })
  rig.driver.last.raise(incoming('a', image('http://engine/a')))
  rig.driver.last.raise(incoming('b', { ...image('http://engine/b'), messageType: 'audio' }))
  await settled()
  const stored = rig.messages.received.find(({ externalMessageId }) => externalMessageId === 'b')
  t.is(stored?.content.media?.sizeBytes, 5)
  t.deepEqual(rig.told.known, [{ numberId, messageId: stored?.id, fileId, sizeBytes: null, sound: null, isUnheard: true }])
})

test('a received file that found no place while the database was away is kept when it is back, before its message is stored', async (t) => {
  const rig = createRig()
  await connectedNumber(rig)
  let isAway = true
  rig.files.rehostAnswer = () => isAway ? Promise.reject(new StoreAway('gone')) : { url: 'http://files/a', mimeType: 'image/png', fileName: null }
  rig.driver.last.raise(incoming('a', image('http://engine/a')))
  await pass(rig, 5_000, 100)
  t.deepEqual(storedIds(rig), [])
  isAway = false
  await pass(rig, 5_000, 100)
  t.deepEqual(rig.messages.received.map(({ content }) => content.media?.url), ['http://files/a'])
})

test('what comes while an earlier one still waits stays behind it, whatever ended before', async (t) => {
  const rig = createRig()
  await connectedNumber(rig)
  const ends = new Map<string, () => void>()
  rig.files.rehostAnswer = (url) => new Promise((resolve) => ends.set(url, () => resolve(null)))
  for (const id of ['a', 'b']) rig.driver.last.raise(incoming(id, image(`http://engine/${id}`)))
  await settled()
  ends.get('http://engine/a')?.()
  await settled()
  rig.driver.last.raise(incoming('c'))
  await settled()
  t.deepEqual(storedIds(rig), ['a'])
  ends.get('http://engine/b')?.()
  await settled()
  t.deepEqual(storedIds(rig), ['a', 'b', 'c'])
})

test('a number on its way out takes no message: unsettled, it comes again to the next owner', async (t) => {
  const rig = createRig()
  const numberId = await connectedNumber(rig)
  rig.driver.last.logoutAnswer = () => new Promise(() => {})
  void rig.directory.askNumber(numberId, 'Remove', {})
  await settled()
  const seqs = [rig.driver.last.raise(incoming('a')), rig.driver.last.raise(report('up', 'READ'))]
  await settled()
  t.deepEqual(storedIds(rig), [])
  t.false(seqs.some((seq) => rig.driver.last.settled.includes(seq)))
})

test('a status that blames the template is told of, by our id or by upstream\'s; one of others is not', async (t) => {
  const rig = createRig({ sending: fast })
  const numberId = await connectedNumber(rig)
  const ids = ['1', '2', '3'].map((address) => rig.messages.add(numberId, address))
  rig.directory.sendsQueued(numberId)
  await pass(rig, 100, 10)
  const failed = (upstreamCode: number) => ({ failure: { code: 'OFFICIAL_ERROR', message: 'no', details: null, upstreamCode } })
  rig.driver.last.raise(report(`up-${ids[0]}`, 'FAILED', failed(132015)))
  rig.driver.last.raise(report(`up-${ids[1]}`, 'FAILED', { ...failed(132001), messageId: ids[1] }))
  rig.driver.last.raise(report(`up-${ids[2]}`, 'FAILED', failed(131047)))
  rig.driver.last.raise(report('of somebody else', 'FAILED', failed(132016)))
  await settled()
  const tenantId = rig.rows.numbers.get(numberId)?.tenantId
  t.deepEqual(rig.told.refused, [{ tenantId, numberId, messageId: `up-${ids[0]}`, code: 132015 }, { tenantId, numberId, messageId: ids[1], code: 132001 }] as never)
})

test('media that cannot be had, or not in time, leave a message without; the address of the engine is never shown', async (t) => {
  const rig = createRig()
  await connectedNumber(rig)
  rig.files.rehostAnswer = (url) => url.endsWith('/b') ? new Promise(() => {}) : null
  rig.driver.last.raise(incoming('a', image('http://engine/a')))
  rig.driver.last.raise(incoming('b', image('http://engine/b')))
  await settled()
  t.deepEqual(storedIds(rig), ['a'])
  await pass(rig, 30_000)
  t.deepEqual(storedIds(rig), ['a', 'b'])
  t.deepEqual(rig.messages.received.map(({ content }) => content.media?.url), [null, null])
  t.false(JSON.stringify(rig.rows.events).includes('engine'))
})

test('at most eight media of a number are fetched at once', async (t) => {
  const rig = createRig()
  await connectedNumber(rig)
  const ends: (() => void)[] = []
  rig.files.rehostAnswer = () => new Promise((resolve) => ends.push(() => resolve(null)))
  for (let index = 0; index < 12; index++) rig.driver.last.raise(incoming(`m${index}`, { from: `${index}`, ...image('http://engine/x') }))
  await settled()
  t.is(rig.files.asked.length, 8)
  ends[0]?.()
  await settled()
  t.is(rig.files.asked.length, 9)
})

test('a number that keeps nothing fetches no media and hides the address of the engine', async (t) => {
  const rig = createRig()
  await connectedNumber(rig, { piiMode: 'RELAY_ONLY' })
  rig.driver.last.raise(incoming('a', image('http://engine/a')))
  await settled()
  t.deepEqual(rig.files.asked, [])
  t.is(rig.messages.received[0]?.content.media?.url, null)
})

test('a number that keeps nothing from now on fetches no more media', async (t) => {
  const rig = createRig()
  const numberId = await connectedNumber(rig)
  await rig.directory.askNumber(numberId, 'ApplySettings', { settings: DEFAULT_SETTINGS, piiMode: 'RELAY_ONLY' })
  await rig.directory.askNumber(numberId, 'ApplySettings', { settings: DEFAULT_SETTINGS })
  rig.driver.last.raise(incoming('a', image('http://engine/a')))
  await settled()
  t.deepEqual(rig.files.asked, [])
})

test('a story is told with its media and not stored', async (t) => {
  const rig = createRig()
  await connectedNumber(rig)
  const seq = rig.driver.last.raise(incoming('s', { isStory: true, ...image('http://engine/s') }))
  await settled()
  t.deepEqual(storedIds(rig), [])
  t.like(rig.rows.events.at(-1), { event: 'message.stories', data: { mediaLink: 'http://files/kept' } })
  t.true(rig.driver.last.settled.includes(seq))
})

test('sessions are told whether status posts are wanted: as they open, and with new settings', async (t) => {
  const rig = createRig()
  rig.told.wantsStories = true
  const numberId = await connectedNumber(rig)
  t.true(rig.driver.last.spec.wantsStories)
  await rig.directory.askNumber(numberId, 'ApplySettings', { settings: DEFAULT_SETTINGS })
  rig.told.wantsStories = false
  await rig.directory.askNumber(numberId, 'ApplySettings', { settings: DEFAULT_SETTINGS })
  t.deepEqual(rig.driver.last.asked, ['settings with stories', 'settings'])
})

test('an edit and a revocation are stored, and settled only then; nobody is told by an event', async (t) => {
  const rig = createRig()
  await connectedNumber(rig)
  rig.driver.last.raise(incoming('a'))
  await settled()
  rig.rows.failing = 1
  const seqs = (['EDIT', 'REVOKE'] as const).map((kind) => rig.driver.last.raise({ type: 'messageChanged', externalMessageId: 'a', kind, at: new Date(0), edited: null }))
  await settled()
  t.false(seqs.some((seq) => rig.driver.last.settled.includes(seq)))
  await pass(rig, 1_000, 50)
  t.deepEqual(rig.messages.changes.map(({ kind }) => kind), ['EDIT', 'REVOKE'])
  t.true(seqs.every((seq) => rig.driver.last.settled.includes(seq)))
  t.deepEqual(messageEvents(rig), ['message.received'])
})

test('who a user is by number and by id is stored before its change is settled', async (t) => {
  const named = { digits: PEER, userId: 'US.13491' }
  const { rig, numberId } = officialHearing({ '"messages" 1': [{ type: 'peerNamed', ...named }, incoming('a')] as OfficialMessageEvent[] })
  rig.rows.failing = 1
  await post(rig, numberId, '"messages" 1')
  t.deepEqual(rig.rows.settled, [])
  await pass(rig, 1_000, 50)
  t.deepEqual(rig.messages.names, [named])
  t.deepEqual(storedIds(rig), ['a'])
  t.deepEqual(rig.rows.settled, [1])
})

test('a change whose message is not there yet is settled too: it waits in the store', async (t) => {
  const { rig, numberId } = officialHearing({ '"messages" 1': [{ type: 'messageChanged', externalMessageId: 'later', kind: 'REVOKE', at: new Date(0), edited: null }] })
  await post(rig, numberId, '"messages" 1')
  t.deepEqual(rig.messages.changes.map(({ externalMessageId }) => externalMessageId), ['later'])
  t.deepEqual(rig.rows.settled, [1])
})

test('a status that overtakes the answer which names the message is tried again, in order', async (t) => {
  const rig = createRig({ sending: fast })
  const numberId = await connectedNumber(rig)
  const answer = Promise.withResolvers<{ kind: 'sent', externalMessageId: string }>()
  rig.driver.last.sendAnswer = () => answer.promise
  rig.messages.add(numberId, '1')
  rig.directory.sendsQueued(numberId)
  await settled()
  await pass(rig, 10_000)
  const first = rig.driver.last.raise(report('up', 'DELIVERED'))
  await pass(rig, 300, 50)
  t.deepEqual(statuses(rig), [])
  t.false(rig.driver.last.settled.includes(first))
  answer.resolve({ kind: 'sent', externalMessageId: 'up' })
  await settled()
  const second = rig.driver.last.raise(report('up', 'READ'))
  await pass(rig, 1_200, 50)
  t.deepEqual(statuses(rig), ['DELIVERED', 'READ'])
  t.true([first, second].every((seq) => rig.driver.last.settled.includes(seq)))
  await pass(rig, 6_000)
  rig.driver.last.raise(report('foreign', 'READ'))
  const writes = rig.rows.writes.length
  await pass(rig, 6_000)
  t.is(rig.rows.writes.length, writes + 1)
})

test('a status that is told again before the session can send waits for the message that was in doubt', async (t) => {
  const rig = createRig({ sending: fast })
  const numberId = await connectedNumber(rig)
  await pass(rig, 60_000)
  rig.driver.last.raise({ type: 'linkDown' })
  await pass(rig, 20_000)
  rig.driver.last.raise({ type: 'linkUp' })
  const seq = rig.driver.last.raise(report('up', 'READ'))
  await settled()
  t.false(rig.driver.last.settled.includes(seq))
  rig.driver.last.sendAnswer = async () => ({ kind: 'sent', externalMessageId: 'up' })
  rig.messages.add(numberId, '1')
  rig.driver.last.raise({ type: 'state', state: 'OPEN', reason: null })
  rig.directory.sendsQueued(numberId)
  await pass(rig, 5_000, 50)
  t.deepEqual(statuses(rig), ['READ'])
  t.true(rig.driver.last.settled.includes(seq))
})

test('a status that comes right after the number connected waits for the message that was in doubt', async (t) => {
  const rig = createRig({ sending: fast })
  const numberId = await connectedNumber(rig)
  const seq = rig.driver.last.raise(report('up', 'READ'))
  await settled()
  t.false(rig.driver.last.settled.includes(seq))
  rig.driver.last.sendAnswer = async () => ({ kind: 'sent', externalMessageId: 'up' })
  rig.messages.add(numberId, '1')
  rig.directory.sendsQueued(numberId)
  await pass(rig, 5_000, 50)
  t.deepEqual(statuses(rig), ['READ'])
  t.true(rig.driver.last.settled.includes(seq))
})

test('a status of a message nobody knows is settled and forgotten', async (t) => {
  const rig = createRig()
  await connectedNumber(rig)
  await pass(rig, 6_000)
  const seq = rig.driver.last.raise(report('foreign', 'READ'))
  await settled()
  t.true(rig.driver.last.settled.includes(seq))
  t.is(rig.rows.writes.filter((name) => name === 'report READ').length, 1)
})

test('one nobody knows while messages are sent is given up in the end', async (t) => {
  const rig = createRig({ sending: fast })
  const numberId = await connectedNumber(rig)
  rig.driver.last.sendAnswer = () => new Promise(() => {})
  rig.messages.add(numberId, '1')
  rig.directory.sendsQueued(numberId)
  await settled()
  const seq = rig.driver.last.raise(report('foreign', 'READ'))
  await pass(rig, 55_000, 500)
  t.false(rig.driver.last.settled.includes(seq))
  await pass(rig, 10_000, 500)
  t.true(rig.driver.last.settled.includes(seq))
  t.is(rig.rows.writes.filter((name) => name === 'report READ').length, 23)
})

test('a store that is down for minutes loses no message, and their order holds', async (t) => {
  const rig = createRig()
  await connectedNumber(rig)
  rig.rows.failing = 40
  const seqs = ['a', 'b', 'c'].map((id) => rig.driver.last.raise(incoming(id)))
  await pass(rig, 120_000)
  t.deepEqual(storedIds(rig), ['a', 'b', 'c'])
  t.true(seqs.every((seq) => rig.driver.last.settled.includes(seq)))
})

test('a number another node took stores nothing and stops', async (t) => {
  const rig = createRig()
  const numberId = await connectedNumber(rig)
  rig.rows.leases.set(numberId, { owner: 'node_other', token: 99 })
  const seq = rig.driver.last.raise(incoming('a'))
  await settled()
  t.deepEqual(storedIds(rig), [])
  t.false(rig.driver.last.settled.includes(seq))
  t.is(rig.directory.stats().numbers, 0)
})

function officialHearing(events: Record<string, readonly OfficialMessageEvent[]>): { rig: Rig, numberId: NumberId } {
  const rig = officialRig({ sending: fast, readMessages: (_field, value) => events[value] ?? [] })
  return { rig, numberId: addOfficial(rig.rows) }
}

test('a change is settled once all messages and statuses in it are stored', async (t) => {
  const events = [incoming('a'), incoming('b', { from: '5511966665555' }), report('known', 'READ')] as OfficialMessageEvent[]
  const { rig, numberId } = officialHearing({ '"messages" 1': events })
  rig.messages.known.add('known')
  rig.rows.failing = 1
  await post(rig, numberId, '"messages" 1')
  t.deepEqual(rig.rows.settled, [])
  await pass(rig, 1_000, 50)
  t.deepEqual(storedIds(rig).toSorted(), ['a', 'b'])
  t.deepEqual(statuses(rig), ['READ'])
  t.deepEqual(rig.rows.settled, [1])
  t.deepEqual(messageEvents(rig), [])
})

test('an OFFICIAL reply to one of ours is told as message.reply; one to others is not', async (t) => {
  const quoting = (id: string, quotedMessageId: string) => [incoming(id, { quotedMessageId })] as OfficialMessageEvent[]
  const { rig, numberId } = officialHearing({ '"messages" 1': quoting('a', 'ours'), '"messages" 2': quoting('b', 'theirs') })
  rig.messages.known.add('ours')
  await post(rig, numberId, '"messages" 1', '"messages" 2')
  t.deepEqual(rig.rows.events.map(({ event, data }) => [event, data.messageId, data.quotedMessageId]), [['message.reply', 'a', 'ours']])
  t.deepEqual(rig.rows.settled, [1, 2])
})

test('a status without our id is of somebody else where upstream gives it back: it is not waited for', async (t) => {
  const { rig, numberId } = officialHearing({ '"messages" 1': [report('foreign', 'READ')] as OfficialMessageEvent[] })
  rig.driver.onOpen = (session) => {
    session.sendAnswer = () => new Promise(() => {})
    queueMicrotask(() => session.raise({ type: 'state', state: 'OPEN', reason: null }))
  }
  rig.messages.add(numberId, '1')
  rig.directory.sendsQueued(numberId)
  await settled()
  t.is(rig.driver.last.sent.length, 1)
  await post(rig, numberId, '"messages" 1')
  t.deepEqual(rig.rows.settled, [1])
})

test('a change whose messages cannot be read is set aside', async (t) => {
  const rig = officialRig({ readMessages: () => { throw new TypeError('poison') } })
  const numberId = addOfficial(rig.rows)
  await post(rig, numberId, '"messages" 1')
  t.deepEqual(rig.rows.settled, [])
  t.like(rig.setAside.kept, [{ item: '1', reason: 'TypeError' }])
})

test('a status that names a message in doubt ends the doubt: it is not sent again', async (t) => {
  const events: OfficialMessageEvent[] = []
  const { rig, numberId } = officialHearing({ '"messages" 1': events })
  const id = rig.messages.add(numberId, '1')
  rig.driver.onOpen = (session) => {
    session.sendAnswer = () => ({ kind: 'unknown', failure: { code: 'DELIVERY_TIMEOUT', message: 'late', details: null, upstreamCode: null } })
    queueMicrotask(() => session.raise({ type: 'state', state: 'OPEN', reason: null }))
  }
  rig.directory.sendsQueued(numberId)
  await settled()
  events.push(report('wamid.1', 'SENT', { messageId: id }) as OfficialMessageEvent)
  await post(rig, numberId, '"messages" 1')
  await pass(rig, 60_000)
  t.like(rig.messages.row(id), { status: 'SENT', externalMessageId: 'wamid.1' })
  t.is(rig.driver.last.sent.length, 1)
})
