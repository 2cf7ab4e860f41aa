import { EventEmitter } from 'node:events'
import { setImmediate as turn } from 'node:timers/promises'
import test from 'ava'

/** Imported by their addresses, as they are there only once the packages of the example are. */
const EXAMPLE = new URL('../../examples/livekit/', import.meta.url)
const { initializeLogger } = await import(new URL('node_modules/@livekit/agents/dist/index.js', EXAMPLE).href)
const { AudioFrame } = await import(new URL('node_modules/@livekit/rtc-node/dist/index.js', EXAMPLE).href)
const { CallInput, CallOutput } = await import(new URL('call-audio.ts', EXAMPLE).href)

const SAMPLES_PER_MS = 24

initializeLogger({ pretty: false, level: 'error' })

/** The socket of a call, as the adapter sees it. */
class FakeCall extends EventEmitter {
  readyState = 1
  readonly audio: number[] = []
  readonly texts: any[] = []

  send(data: Buffer | string): void {
    if (typeof data === 'string') this.texts.push(JSON.parse(data))
    else this.audio.push(data.length)
  }

  tells(message: object): void {
    this.emit('message', Buffer.from(JSON.stringify(message)), false)
  }

  ends(): void {
    this.readyState = 3
    this.emit('close')
  }
}

const frameOf = (ms: number) => {
  const samples = new Int16Array(ms * SAMPLES_PER_MS)
  return new AudioFrame(samples, 24_000, 1, samples.length)
}

function talking(): { call: FakeCall; output: any; told: object[] } {
  const call = new FakeCall()
  const output = new CallOutput(call)
  const told: object[] = []
  output.on('playbackStarted', () => told.push({ started: true }))
  output.on('playbackFinished', (event: object) => told.push(event))
  return { call, output, told }
}

test('an agent is told that its words began and ended once their marks were played, not before', async (t) => {
  const { call, output, told } = talking()
  await output.captureFrame(frameOf(100))
  await output.captureFrame(frameOf(60))
  output.flush()
  t.deepEqual(told, [])
  const [begins, ends] = call.texts
  t.deepEqual([begins.type, ends.type], ['mark', 'mark'])
  call.tells({ type: 'mark', name: begins.name, status: 'played' })
  t.deepEqual(told, [{ started: true }])
  const played = output.waitForPlayout()
  call.tells({ type: 'mark', name: ends.name, status: 'played' })
  t.deepEqual(await played, { playbackPosition: 0.16, interrupted: false })
})

test('what was cleared is missing from the last words first, and its marks tell nothing', async (t) => {
  const { call, output, told } = talking()
  for (const ms of [100, 200, 300]) {
    await output.captureFrame(frameOf(ms))
    output.flush()
  }
  output.clearBuffer()
  output.clearBuffer()
  const clears = call.texts.filter(({ type }) => type === 'clear')
  t.is(clears.length, 1)
  for (const { name } of call.texts.filter(({ type }) => type === 'mark'))
    call.tells({ type: 'mark', name, status: 'cleared' })
  t.deepEqual(told, [])
  // Words of after the interruption are not of what was cleared.
  await output.captureFrame(frameOf(40))
  call.tells({ type: 'cleared', id: clears[0].id, discardedMs: 450 })
  t.deepEqual(told, [
    { playbackPosition: 0.1, interrupted: true },
    { playbackPosition: 0.05, interrupted: true },
    { playbackPosition: 0, interrupted: true },
  ])
  t.is(output.pendingPlayoutSegments, 1)
})

test('nothing is cleared where nothing waits, and words are held and go on', (t) => {
  const { call, output } = talking()
  output.clearBuffer()
  output.pause()
  output.resume()
  t.deepEqual(call.texts, [{ type: 'pause' }, { type: 'resume' }])
  t.true(output.canPause)
})

test('a call that ends leaves no words that a session waits for, and takes no more', async (t) => {
  const { call, output, told } = talking()
  await output.captureFrame(frameOf(100))
  call.ends()
  t.deepEqual(told, [{ playbackPosition: 0, interrupted: true }])
  await output.captureFrame(frameOf(100))
  output.flush()
  output.clearBuffer()
  await output.waitForPlayout()
  t.is(call.audio.length, 1)
  t.is(call.texts.length, 1)
})

test('while a person has the call nothing is sent nor waited for, and what comes behind that is heard', async (t) => {
  const { call, output, told } = talking()
  await output.captureFrame(frameOf(100))
  call.tells({ type: 'takeover', by: 'person' })
  t.deepEqual(told, [{ playbackPosition: 0, interrupted: true }])
  await output.captureFrame(frameOf(100))
  output.flush()
  output.clearBuffer()
  await output.waitForPlayout()
  t.is(call.audio.length, 1)
  call.tells({ type: 'takeover', by: 'bot' })
  await output.captureFrame(frameOf(100))
  output.flush()
  call.tells({ type: 'mark', name: call.texts.at(-1).name, status: 'played' })
  t.deepEqual(told.at(-1), { playbackPosition: 0.1, interrupted: false })
})

test('long frames are sent in messages that the service takes, and no more than some seconds ahead', async (t) => {
  const { call, output } = talking()
  await output.captureFrame(frameOf(1_900))
  t.true(call.audio.every((length) => length <= 65_536))
  t.is(
    call.audio.reduce((sum, length) => sum + length, 0),
    1_900 * SAMPLES_PER_MS * 2,
  )
  let isTaken = false
  const taken = output.captureFrame(frameOf(1_000)).then(() => (isTaken = true))
  await turn()
  t.false(isTaken)
  await taken
})

test('what the caller says is heard while the session listens, sample by sample', async (t) => {
  const call = new FakeCall()
  const input = new CallInput(call)
  const says = (value: number) => call.emit('message', Buffer.from(Int16Array.from([value, -value]).buffer), true)
  says(1)
  input.setAttached(true)
  says(2)
  says(3)
  input.setAttached(false)
  says(4)
  const heard: number[][] = []
  call.ends()
  const reader = input.stream.getReader()
  for (let at = 0; at < 2; at++) heard.push([...(await reader.read()).value.data])
  t.deepEqual(heard, [
    [2, -2],
    [3, -3],
  ])
})
