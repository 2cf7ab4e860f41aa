import test from 'ava'
import { DEFAULT_SETTINGS } from '../../../../src/domain/number.ts'
import type { OfficialMessageEvent } from '../../../../src/ports/official/changes.ts'
import { post } from '../../official-rig.ts'
import { applySettings, connectedNumber, createRig, pass, settled } from '../../rig.ts'
import { image, incoming, messageEvents, officialHearing, PEER, report, statuses, storedIds } from './received.ts'

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

test('a message that the settings drop is settled and nothing more; new settings apply from the next message', async (t) => {
  const rig = createRig()
  const settings = { ...DEFAULT_SETTINGS, ignoreGroups: true, readMessages: true }
  const numberId = await connectedNumber(rig, { settings })
  const group = { group: { id: '1@g.us', name: null } }
  const seq = rig.driver.last.raise(incoming('a', { ...group, ...image('http://engine/a') }))
  await settled()
  t.true(rig.driver.last.settled.includes(seq))
  t.deepEqual([storedIds(rig), messageEvents(rig), rig.driver.last.asked, rig.files.asked], [[], [], [], []])
  await applySettings(rig, numberId, { settings: DEFAULT_SETTINGS })
  rig.driver.last.raise(incoming('b', group))
  await settled()
  t.deepEqual(storedIds(rig), ['b'])
})

test('a message stays behind earlier ones that still wait, even when later ones have ended', async (t) => {
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

test('a number that is leaving its node takes no message, so the engine repeats it to the next owner', async (t) => {
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

test('sessions are told whether status posts are wanted: as they open, and with new settings', async (t) => {
  const rig = createRig()
  rig.told.wantsStories = true
  const numberId = await connectedNumber(rig)
  t.true(rig.driver.last.opening.wantsStories)
  await applySettings(rig, numberId)
  rig.told.wantsStories = false
  await applySettings(rig, numberId)
  t.deepEqual(rig.driver.last.asked, ['settings with stories', 'settings'])
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

test('a change is settled once all messages and statuses in it are stored', async (t) => {
  const events = [
    incoming('a'),
    incoming('b', { from: '5511966665555' }),
    report('known', 'READ'),
  ] as OfficialMessageEvent[]
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

// [events.data.2]
test('an OFFICIAL reply to one of ours is told as message.reply; one to others is not', async (t) => {
  const quoting = (id: string, quotedMessageId: string) => [incoming(id, { quotedMessageId })] as OfficialMessageEvent[]
  const { rig, numberId } = officialHearing({
    '"messages" 1': quoting('a', 'ours'),
    '"messages" 2': quoting('b', 'theirs'),
  })
  rig.messages.known.add('ours')
  await post(rig, numberId, '"messages" 1', '"messages" 2')
  t.deepEqual(
    rig.rows.events.map(({ event, data }) => [event, data.messageId, data.quotedMessageId]),
    [['message.reply', 'a', 'ours']],
  )
  t.deepEqual(rig.rows.settled, [1, 2])
})

const NAMED = { addresses: [PEER, '123456789012345@lid'] }

// [engines.peers.1]
test('what an engine names a person by is stored before it is acknowledged', async (t) => {
  const rig = createRig()
  await connectedNumber(rig)
  rig.rows.failing = 1
  const seq = rig.driver.last.raise({ type: 'peerNamed', ...NAMED })
  await settled()
  t.deepEqual([rig.messages.names, rig.driver.last.settled.includes(seq)], [[], false])
  await pass(rig, 1_000, 50)
  t.deepEqual([rig.messages.names, rig.driver.last.settled.includes(seq)], [[NAMED], true])
})

// [engines.peers.2]
test('a message that names its writer by more is stored behind the naming; one that is dropped names all the same', async (t) => {
  const rig = createRig()
  const numberId = await connectedNumber(rig)
  const seq = rig.driver.last.raise(incoming('a', { named: NAMED }))
  await settled()
  t.deepEqual([rig.messages.names, storedIds(rig)], [[NAMED], ['a']])
  t.true(rig.driver.last.settled.includes(seq))
  const other = { addresses: ['5511988880002', '2@lid'] }
  const number = rig.rows.numbers.get(numberId)
  t.not(number?.settings.historyImportEnabled, true)
  const dropped = rig.driver.last.raise(incoming('b', { isHistorical: true, named: other }))
  await settled()
  t.deepEqual([rig.messages.names, storedIds(rig)], [[NAMED, other], ['a']])
  t.true(rig.driver.last.settled.includes(dropped))
})
