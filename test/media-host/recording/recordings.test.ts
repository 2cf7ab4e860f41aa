import { appendFile, readFile, stat, truncate, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import test from 'ava'
import type { ExecutionContext } from 'ava'
import { loadOpus } from '../../../media-host/audio/opus.ts'
import type { PeerSlot, SlotTap } from '../../../media-host/legs/call-leg.ts'
import { Recordings } from '../../../media-host/recording/recordings.ts'
import { newId } from '../../../src/domain/ids.ts'
import type { CallId } from '../../../src/domain/ids.ts'
import { FakeClock } from '../../helpers/fake-clock.ts'
import { readRecording } from '../../helpers/recording-reader.ts'
import { silentLog } from '../../helpers/silent.ts'
import { mountSmallDisk } from '../../helpers/small-disk.ts'
import { temporaryDirectory } from '../../helpers/temporary-directory.ts'
import { until } from '../../helpers/until.ts'
import { codeOf, valueOf } from '../../commands/outcomes.ts'

const DAY_MS = 24 * 3_600_000
const opus = await loadOpus()

async function openIn(directory: string) {
  const clock = new FakeClock(Date.now())
  const recordings = new Recordings({ directory, opus, clock, log: silentLog })
  await recordings.open()
  const pathOf = (callId: CallId) => join(directory, `${callId}.ogg`)
  return { recordings, clock, pathOf }
}

async function open(t: ExecutionContext) {
  const { path, remove } = await temporaryDirectory()
  t.teardown(remove)
  return openIn(join(path, 'recordings'))
}

function keep(tap: SlotTap | undefined, slots: number, peer: PeerSlot | null = null): void {
  for (let slot = 0; slot < slots; slot++) tap?.keep({ kind: 'silence' }, peer)
}

async function fetched(recordings: Recordings, callId: CallId): Promise<Buffer> {
  const { sizeBytes } = valueOf(await recordings.find(callId))
  const parts: Buffer[] = []
  for (let offset = 0; offset < sizeBytes; offset += parts.at(-1)?.length ?? 0)
    parts.push(Buffer.from(valueOf(await recordings.read(callId, offset)).bytes, 'base64'))
  return Buffer.concat(parts).subarray(0, sizeBytes)
}

test('a recording is read in parts once its call is over, and dropped', async (t) => {
  const { recordings, pathOf } = await open(t)
  const callId = newId('call')
  const live = recordings.begin(callId)
  t.is(recordings.begin(callId), null)
  keep(live?.tap, 12_000)
  t.is(codeOf(await recordings.find(callId)), 'RECORDING_RUNNING')
  live?.end()
  live?.end()
  await recordings.close()
  t.like(valueOf(await recordings.find(callId)), { durationMs: 239_994, cutShort: null })
  t.is((await stat(pathOf(callId))).mode & 0o777, 0o600)
  recordings.begin(newId('call'))
  t.deepEqual(await recordings.list(), [callId], 'one that goes on is not listed')
  const bytes = await fetched(recordings, callId)
  t.true(bytes.length > 65_536, 'it takes several parts')
  t.deepEqual(bytes, await readFile(pathOf(callId)))
  t.is(readRecording(bytes).left.length, 12_000)
  await recordings.drop(callId)
  t.is(codeOf(await recordings.find(callId)), 'RECORDING_NOT_FOUND')
  t.is(codeOf(await recordings.read(callId, 0)), 'RECORDING_NOT_FOUND')
  await recordings.close()
})

test('a host that closes ends the recordings that go on, whole', async (t) => {
  const { recordings } = await open(t)
  const callId = newId('call')
  keep(recordings.begin(callId)?.tap, 75)
  await recordings.close()
  t.true(readRecording(await fetched(recordings, callId)).isEnded)
})

// [voice.recordings.9]
test('of a recording that a killed process left, what is cut off at its end is not given', async (t) => {
  const { recordings, clock, pathOf } = await open(t)
  const callId = newId('call')
  const live = recordings.begin(callId)
  keep(live?.tap, 175)
  live?.end()
  await recordings.close()
  const { size } = await stat(pathOf(callId))
  await truncate(pathOf(callId), size - 10)
  t.is(codeOf(await recordings.find(callId)), 'RECORDING_RUNNING', 'another process may be writing it')
  clock.advance(10_000)
  const { durationMs, cutShort } = valueOf(await recordings.find(callId))
  t.deepEqual([durationMs, cutShort], [2_994, 'HOST_LOST'])
  t.is(readRecording(await fetched(recordings, callId)).left.length, 150)
  await appendFile(pathOf(callId), Buffer.concat([Buffer.from('OggS'), Buffer.alloc(300_000)]))
  t.is(codeOf(await recordings.find(callId)), 'RECORDING_NOT_FOUND', 'what is no recording is none')
})

test('a call that was over in its first second has no recording, and ids cannot leave the folder', async (t) => {
  const { recordings, clock, pathOf } = await open(t)
  const callId = newId('call')
  await writeFile(pathOf(callId), '')
  clock.advance(10_000)
  t.is(codeOf(await recordings.find(callId)), 'RECORDING_NOT_FOUND')
  t.is(recordings.begin('call_../x' as CallId), null)
  t.is(codeOf(await recordings.read('call_../x' as CallId, 0)), 'RECORDING_NOT_FOUND')
})

// [voice.recordings.8]
test('a full disk ends the recording with what was written, and nothing else', async (t) => {
  const disk = await mountSmallDisk(1)
  if (!disk) {
    t.pass('mounting is not permitted here')
    return
  }
  t.teardown(() => disk.remove())
  const { recordings, clock, pathOf } = await openIn(join(disk.path, 'recordings'))
  const callId = newId('call')
  const live = recordings.begin(callId)
  keep(live?.tap, 500)
  await until('what was kept is written', async () => (await stat(pathOf(callId))).size > 2_000)
  await disk.fill(8_192)
  keep(live?.tap, 5_000)
  live?.end()
  await recordings.close()
  clock.advance(10_000)
  t.is(valueOf(await recordings.find(callId)).cutShort, 'DISK_FULL')
  const { left, isEnded } = readRecording(await fetched(recordings, callId))
  t.false(isEnded)
  t.true(left.length >= 500)
})

// [voice.recordings.10]
test('what nobody fetched within two days is deleted', async (t) => {
  const { recordings, clock, pathOf } = await open(t)
  const [old, fresh, live] = [newId('call'), newId('call'), newId('call')]
  for (const callId of [old, fresh]) await writeFile(pathOf(callId), 'x')
  recordings.begin(live)
  const seconds = (clock.now() - 2 * DAY_MS) / 1_000 - 1
  await utimes(pathOf(old), seconds, seconds)
  recordings.everySecond()
  await until('the old one is gone', async () => !(await stat(pathOf(old)).catch(() => null)))
  t.truthy(await stat(pathOf(fresh)))
  await recordings.close()
})
