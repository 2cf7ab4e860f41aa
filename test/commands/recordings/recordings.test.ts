import test from 'ava'
import { createRecordings } from '../../../src/commands/recordings/recordings.ts'
import type { Call } from '../../../src/domain/call.ts'
import { fail, refuse, succeed } from '../../../src/domain/errors.ts'
import type { Outcome } from '../../../src/domain/errors.ts'
import type { NewEvent } from '../../../src/domain/events.ts'
import type { CallId, FileId } from '../../../src/domain/ids.ts'
import { StoreAway } from '../../../src/domain/store-away.ts'
import type { HeldRecording } from '../../../src/ports/recordings.ts'
import type { DueRecording } from '../../../src/ports/stores/recording-store.ts'
import { silentLog } from '../../helpers/silent.ts'
import { World } from '../../helpers/world.ts'
import { codeOf } from '../outcomes.ts'

const HOUR_MS = 3_600_000
const FILE: FileId = 'file_1'

/** Recordings over scripted ports, which note what was done. */
function open() {
  const world = new World()
  const { number, clock, calls } = world
  const noted: string[] = []
  const events: NewEvent[] = []
  const note = (what: string) => void noted.push(what)
  const script = {
    due: [] as DueRecording[],
    found: fail(refuse('RECORDING_NOT_FOUND', 'none')) as Outcome<HeldRecording>,
    isStored: true,
    keep: async (): Promise<FileId | null> => FILE,
    files: new Map<CallId, FileId>(),
    isThere: true,
  }
  const held: HeldRecording = {
    sizeBytes: 5,
    durationMs: 61_499,
    cutShort: 'HOST_LOST',
    async *bytes() {
      yield Buffer.from('bytes')
    },
    drop: async () => note('dropped'),
  }
  const commands = createRecordings({
    calls,
    clock,
    log: silentLog,
    recordings: {
      takeDue: async () => script.due.splice(0),
      defer: async (_, untilMs) => note(`deferred ${untilMs - clock.now()}`),
      store: async (_, { fileId, sizeBytes }, event) => {
        note(`stored ${fileId} of ${sizeBytes}`)
        if (script.isStored) events.push(event)
        return script.isStored
      },
      settle: async () => note('settled'),
      awaited: async (calls) => new Set(calls.slice(1)),
      fileOf: async (_, callId) => script.files.get(callId) ?? null,
      remove: async (_, callId) => {
        const fileId = script.files.get(callId) ?? null
        script.files.delete(callId)
        return { fileId }
      },
    },
    recordingFiles: {
      keep: () => script.keep(),
      open: async () => (script.isThere ? { path: '/a' } : null),
      locate: async () => (script.isThere ? { path: async () => '/a', link: async () => 'https://a/b' } : null),
      release: async (fileId) => note(`released ${fileId}`),
    },
    recordingSource: {
      find: async () => script.found,
      sweep: async (wanted) => note([...(await wanted(['call_1', 'call_2']))].join()),
      drop: async () => note('dropped everywhere'),
    },
  })
  const add = (fields: Partial<Call>) => {
    const { id: callId, numberId } = calls.add(number, fields)
    return { numberId, callId }
  }
  const due = (fields: Partial<DueRecording> = {}): DueRecording => ({
    callId: 'call_1',
    tenantId: number.tenantId,
    numberId: number.id,
    recording: 'ASKED',
    connectedAt: new Date(clock.now()),
    endedAt: new Date(clock.now()),
    piiMode: 'STORE_INDEFINITE',
    ...fields,
  })
  /** A turn with one recording that is due; what was done. */
  const collect = async (fields: Partial<DueRecording> = {}) => {
    script.due.push(due(fields))
    await commands.collect()
    return noted.splice(0)
  }
  return { commands, script, held, noted, events, add, due, collect, clock }
}

// [voice.recordings.2]
test('a recording is read once it is whole, and refused before and after', async (t) => {
  const { commands, script, add } = open()
  const read = async (fields: Partial<Call>) => codeOf(await commands.read(add(fields)))
  const over = { status: 'COMPLETED', connectedAt: new Date(0) } as const
  t.is(await read({ ...over, recording: null }), 'RECORDING_NOT_FOUND')
  t.is(await read({ ...over, recording: 'GONE' }), 'RECORDING_NOT_FOUND')
  t.is(await read({ status: 'ACCEPTED', recording: 'ASKED' }), 'RECORDING_RUNNING')
  t.is(await read({ status: 'RINGING', recording: 'ASKED' }), 'RECORDING_RUNNING')
  t.is(await read({ ...over, recording: 'ASKED' }), 'RECORDING_RUNNING')
  t.is(await read({ status: 'MISSED', recording: 'ASKED' }), 'RECORDING_NOT_FOUND')
  const whole = add({ ...over, recording: 'STORED' })
  script.files.set(whole.callId, FILE)
  t.deepEqual(await commands.read(whole), succeed({ path: '/a', fileName: `${whole.callId}.ogg` }))
  script.isThere = false
  t.is(codeOf(await commands.read(whole)), 'RECORDING_NOT_FOUND')
  t.is(codeOf(await commands.read({ ...whole, callId: 'call_none' })), 'CALL_NOT_FOUND')
})

// [voice.recordings.3]
test('a recording is deleted with its file, and one that is not whole yet as soon as its call is over', async (t) => {
  const { commands, script, noted, add } = open()
  const over = { status: 'COMPLETED', connectedAt: new Date(0) } as const
  const whole = add({ ...over, recording: 'STORED' })
  script.files.set(whole.callId, FILE)
  t.deepEqual(await commands.remove(whole), succeed(null))
  t.deepEqual(noted.splice(0), [`released ${FILE}`])
  t.deepEqual(await commands.remove(add({ ...over, recording: 'ASKED' })), succeed(null))
  t.deepEqual(noted, [])
  t.is(codeOf(await commands.remove(add({ status: 'ACCEPTED', recording: 'ASKED' }))), 'RECORDING_RUNNING')
  t.is(codeOf(await commands.remove(add({ ...over, recording: null }))), 'RECORDING_NOT_FOUND')
  t.is(codeOf(await commands.remove({ ...whole, callId: 'call_none' })), 'CALL_NOT_FOUND')
})

// [voice.recordings.6]
test('a whole recording is fetched, stored with its event, and dropped at its host', async (t) => {
  const { script, held, events, collect } = open()
  script.found = succeed(held)
  t.deepEqual(await collect(), [`stored ${FILE} of 5`, 'dropped'])
  t.deepEqual(events[0], {
    event: 'call.recorded',
    data: {
      callId: 'call_1',
      recordingUrl: '/v1/calls/call_1/recording',
      durationSeconds: 61,
      channels: 2,
      sizeBytes: 5,
      cutShort: 'HOST_LOST',
    },
  })
  script.isStored = false
  t.deepEqual(await collect(), [`stored ${FILE} of 5`, `released ${FILE}`, 'dropped'])
  script.keep = async () => null
  t.deepEqual(await collect(), ['dropped'])
})

// [voice.recordings.5] [voice.recordings.10]
test('one that is not there is looked for again, for a day, and one that may not be kept is dropped', async (t) => {
  const { script, held, collect, clock } = open()
  t.deepEqual(await collect(), ['deferred 5000'])
  script.found = fail(refuse('RECORDING_RUNNING', 'writing'))
  t.deepEqual(await collect(), ['deferred 1000'])
  t.deepEqual(await collect({ recording: 'GONE' }), ['deferred 1000'])
  script.found = fail(refuse('MEDIA_UNAVAILABLE', 'away'))
  t.deepEqual(await collect({ endedAt: new Date(clock.now() - 23 * HOUR_MS) }), ['deferred 5000'])
  t.deepEqual(await collect({ endedAt: new Date(clock.now() - 25 * HOUR_MS) }), ['settled'])
  t.deepEqual(await collect({ connectedAt: null }), ['settled'])
  script.found = succeed(held)
  t.deepEqual(await collect({ recording: 'GONE' }), ['dropped everywhere', 'settled'])
  t.deepEqual(await collect({ piiMode: 'RELAY_ONLY' }), ['dropped everywhere', 'settled'])
})

test('a fetch that fails is tried again, and a full disk gives up the turn', async (t) => {
  const { commands, script, held, noted, due } = open()
  script.found = succeed(held)
  script.keep = () => Promise.reject(new Error('the host went away'))
  script.due.push(due(), due())
  t.false(await commands.collect())
  t.deepEqual(noted.splice(0), ['deferred 5000', 'deferred 5000'])
  script.keep = () => Promise.reject(new StoreAway('full'))
  script.due.push(due())
  await t.throwsAsync(commands.collect(), { instanceOf: StoreAway })
  t.deepEqual(noted, ['deferred 5000'])
})

// [voice.recordings.12]
test('hosts keep what is still to come, and nothing else', async (t) => {
  const { commands, noted } = open()
  await commands.sweep()
  t.deepEqual(noted, ['call_2'])
})
