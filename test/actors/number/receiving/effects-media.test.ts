import test from 'ava'
import { StoreAway } from '../../../../src/domain/store-away.ts'
import { applySettings, connectedNumber, createRig, pass, settled } from '../../rig.ts'
import { image, incoming, storedIds } from './received.ts'

test('media get an address of ours before the message is stored; the order of the conversation holds, others do not wait', async (t) => {
  const rig = createRig()
  await connectedNumber(rig)
  const slow = Promise.withResolvers<{ url: string; mimeType: string; fileName: null }>()
  rig.files.rehostAnswer = () => slow.promise
  rig.driver.last.raise(incoming('a', image('http://engine/a')))
  rig.driver.last.raise(incoming('b'))
  rig.driver.last.raise(incoming('c', { from: '5511966665555' }))
  await settled()
  t.deepEqual(storedIds(rig), ['c'])
  slow.resolve({ url: 'http://files/a', mimeType: 'image/webp', fileName: null })
  await settled()
  t.deepEqual(storedIds(rig), ['c', 'a', 'b'])
  t.deepEqual(rig.messages.received[1]?.content.media, {
    id: null,
    url: 'http://files/a',
    mimeType: 'image/webp',
    fileName: null,
  })
  t.like(rig.rows.events.find(({ data }) => data.messageId === 'a')?.data, {
    mediaLink: 'http://files/a',
    mediaMimeType: 'image/webp',
  })
})

test('a sound is listened to once its message is stored, other files are not', async (t) => {
  const rig = createRig()
  const numberId = await connectedNumber(rig)
  const fileId = 'file_00000000000000000000000000'
  rig.files.rehostAnswer = () => ({
    url: `http://files/media/${fileId}/a`,
    mimeType: 'audio/ogg',
    fileName: null,
    sizeBytes: 5,
  })
  rig.driver.last.raise(incoming('a', image('http://engine/a')))
  rig.driver.last.raise(incoming('b', { ...image('http://engine/b'), messageType: 'audio' }))
  await settled()
  const stored = rig.messages.received.find(({ externalMessageId }) => externalMessageId === 'b')
  t.is(stored?.content.media?.sizeBytes, 5)
  t.deepEqual(rig.told.known, [
    { numberId, messageId: stored?.id, fileId, sizeBytes: null, sound: null, isUnheard: true },
  ])
})

test('a received file that found no place while the database was away is kept when it is back, before its message is stored', async (t) => {
  const rig = createRig()
  await connectedNumber(rig)
  let isAway = true
  rig.files.rehostAnswer = () =>
    isAway ? Promise.reject(new StoreAway('gone')) : { url: 'http://files/a', mimeType: 'image/png', fileName: null }
  rig.driver.last.raise(incoming('a', image('http://engine/a')))
  await pass(rig, 5_000, 100)
  t.deepEqual(storedIds(rig), [])
  isAway = false
  await pass(rig, 5_000, 100)
  t.deepEqual(
    rig.messages.received.map(({ content }) => content.media?.url),
    ['http://files/a'],
  )
})

test('media that cannot be had, or not in time, leave a message without; the address of the engine is never shown', async (t) => {
  const rig = createRig()
  await connectedNumber(rig)
  rig.files.rehostAnswer = (url) => (url.endsWith('/b') ? new Promise(() => {}) : null)
  rig.driver.last.raise(incoming('a', image('http://engine/a')))
  rig.driver.last.raise(incoming('b', image('http://engine/b')))
  await settled()
  t.deepEqual(storedIds(rig), ['a'])
  await pass(rig, 30_000)
  t.deepEqual(storedIds(rig), ['a', 'b'])
  t.deepEqual(
    rig.messages.received.map(({ content }) => content.media?.url),
    [null, null],
  )
  t.false(JSON.stringify(rig.rows.events).includes('engine'))
})

test('at most eight media of a number are fetched at once', async (t) => {
  const rig = createRig()
  await connectedNumber(rig)
  const ends: (() => void)[] = []
  rig.files.rehostAnswer = () => new Promise((resolve) => ends.push(() => resolve(null)))
  for (let index = 0; index < 12; index++)
    rig.driver.last.raise(incoming(`m${index}`, { from: `${index}`, ...image('http://engine/x') }))
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
  await applySettings(rig, numberId, { piiMode: 'RELAY_ONLY' })
  await applySettings(rig, numberId)
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
