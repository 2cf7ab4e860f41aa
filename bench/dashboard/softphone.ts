import { SessionClient } from '../../test/helpers/session-client.ts'
import { at, median, postJson } from '../programs.ts'
import { awaited, pause } from '../awaited.ts'
import type { Stage } from './stage.ts'

/** A peer that answers and says again whatever it hears ([sandbox.peers.1]). */
const ECHOES = '5511990000001'
/** Target, in ms each way: what the softphone adds to the socket alone. */
const MOST_MS = 120
/** Our choice: a word of 200 ms each second, which is over and echoed before the next. */
const WORD_MS = 200
const EVERY_MS = 1_000
const SOCKET_HZ = 48_000
const FRAME_MS = 20
const WORD_HZ = 1_000
/** Our choice, RMS or peak of full scale: louder is a word. */
const LOUD = 0.02

/**
 * A microphone that says words, and ears at it and at the loudspeaker: `said` and `heard` are the ms since the epoch at
 * which each word began. It replaces what the device would do, so the device's own delay does not count.
 */
const STAND_IN = `
  const nowMs = () => performance.timeOrigin + performance.now()
  globalThis.said = []
  globalThis.heard = []
  function watch(node, begins) {
    const ear = new AnalyserNode(node.context, { fftSize: 128 })
    const samples = new Float32Array(128)
    node.connect(ear)
    let loudMs = 0
    setInterval(() => {
      ear.getFloatTimeDomainData(samples)
      if (samples.every((sample) => Math.abs(sample) < ${LOUD})) return
      if (nowMs() - loudMs > ${WORD_MS}) begins.push(nowMs())
      loudMs = nowMs()
    }, 2)
  }
  const connect = AudioNode.prototype.connect
  AudioNode.prototype.connect = function (...to) {
    if (this instanceof AudioWorkletNode && to[0] === this.context.destination) watch(this, heard)
    return connect.apply(this, to)
  }
  navigator.mediaDevices.getUserMedia = async () => {
    const context = new AudioContext({ latencyHint: 'interactive' })
    const voice = new OscillatorNode(context, { frequency: ${WORD_HZ} })
    const mouth = new GainNode(context, { gain: 0 })
    const microphone = new MediaStreamAudioDestinationNode(context)
    voice.connect(mouth).connect(microphone)
    voice.start()
    for (let n = 1; n < 600; n++) {
      mouth.gain.setValueAtTime(0.5, (n * ${EVERY_MS}) / 1000)
      mouth.gain.setValueAtTime(0, (n * ${EVERY_MS} + ${WORD_MS}) / 1000)
    }
    watch(mouth, said)
    return microphone.stream
  }`

/** When words began, in ms since the epoch: at the mouth, at the peer's phone, and at the ear that hears the echo. */
interface Words {
  readonly said: readonly number[]
  readonly arrived: readonly number[]
  readonly heard: readonly number[]
}

/** The beginnings of words in what is loud or not at its time. */
function beginnings(levels: readonly { readonly atMs: number; readonly rms: number }[]): number[] {
  let loudMs = 0
  return levels.flatMap(({ atMs, rms }) => {
    if (rms < LOUD) return []
    const isNew = atMs - loudMs > WORD_MS
    loudMs = atMs
    return isNew ? [atMs] : []
  })
}

async function callOf({ origin, number }: Stage): Promise<{ readonly id: string; readonly externalCallId: string }> {
  return await awaited('an answered call', async () => {
    const answer = await fetch(`${origin}/v1/calls?limit=1`, { headers: { 'x-api-key': number.key } })
    const { calls } = (await answer.json()) as { calls: { id: string; status: string; externalCallId: string }[] }
    return calls[0]?.status === 'ACCEPTED' ? calls[0] : null
  })
}

async function arrivals({ control }: Stage, externalCallId: string): Promise<number[]> {
  return beginnings((await control('GET', `/calls/${externalCallId}/levels?since=0`)).levels)
}

/** Words through the softphone in the page. */
async function bySoftphone(stage: Stage, words: number): Promise<Words> {
  const { page, origin, number } = stage
  await page.addInitScript(STAND_IN)
  await page.goto(`${origin}/dashboard/calls`)
  await page.selectOption('[data-softphone] select[name=numberId]', number.id)
  await page.fill('[data-softphone] input[name=to]', ECHOES)
  await page.click('[data-action=dial]')
  await page.locator('[data-softphone][data-status=ACCEPTED]').waitFor()
  const call = await callOf(stage)
  await pause((words + 2) * EVERY_MS)
  const { said, heard } = await page.evaluate<Pick<Words, 'said' | 'heard'>>('({ said, heard })')
  const arrived = await arrivals(stage, call.externalCallId)
  await page.click('[data-action=hangup]')
  await page.locator('[data-softphone][data-status=ended]').waitFor()
  return { said, arrived, heard }
}

/** The samples of a time: a tone in words, silence between them. */
function spoken(fromMs: number): Int16Array {
  return Int16Array.from({ length: (SOCKET_HZ * FRAME_MS) / 1_000 }, (_, i) =>
    fromMs % EVERY_MS < WORD_MS ? 16_384 * Math.sin((2 * Math.PI * WORD_HZ * i) / SOCKET_HZ) : 0,
  )
}

/** Words through a socket without a page: what no softphone can be faster than. */
async function bySocket(stage: Stage, words: number): Promise<Words> {
  const { origin, number } = stage
  const headers = { 'x-api-key': number.key }
  await postJson(`${origin}/v1/calls`, { to: ECHOES }, headers)
  const call = await callOf(stage)
  const { wsUrl } = await postJson<{ wsUrl: string }>(`${origin}/v1/calls/${call.id}/realtime-session`, {}, headers)
  const client = await SessionClient.connect(wsUrl, `rate=${SOCKET_HZ}&frameMs=${FRAME_MS}`)
  const said: number[] = []
  const startMs = performance.now()
  for (let frameMs = 0; frameMs < (words + 2) * EVERY_MS; await pause(2)) {
    for (; frameMs < performance.now() - startMs; frameMs += FRAME_MS) {
      if (frameMs % EVERY_MS === 0) said.push(Date.now())
      client.speak(spoken(frameMs))
    }
  }
  const samples = client.audio()
  let from = 0
  const levels = client.frameSizes.map((bytes, index) => {
    const peak = samples.subarray(from, (from += bytes / 2)).reduce((most, one) => Math.max(most, Math.abs(one)), 0)
    return { atMs: client.frameTimesMs[index] ?? 0, rms: peak / 32_768 }
  })
  const arrived = await arrivals(stage, call.externalCallId)
  client.close()
  await postJson(`${origin}/v1/calls/${call.id}/terminate`, {}, headers)
  return { said, arrived, heard: beginnings(levels) }
}

/** Ms from each of the moments to the first of the others behind it; those without one are left out. */
function waysOf(from: readonly number[], to: readonly number[]): number[] {
  return from.flatMap((begunMs) => {
    const endMs = to.find((atMs) => atMs >= begunMs - FRAME_MS)
    return endMs === undefined || endMs - begunMs > EVERY_MS - FRAME_MS ? [] : [endMs - begunMs]
  })
}

/**
 * Compares the way of words through the softphone with that through the socket alone: from the mouth to the packet at
 * the peer's phone, and from there, through the same echo, to the ear.
 */
export async function measureSoftphone(stage: Stage, words: number): Promise<void> {
  const alone = await bySocket(stage, words)
  const whole = await bySoftphone(stage, words)
  const tell = (what: string, from: 'said' | 'arrived', to: 'arrived' | 'heard'): void => {
    const socketMs = median(waysOf(alone[from], alone[to]))
    const ways = waysOf(whole[from], whole[to]).toSorted((a, b) => a - b)
    const [p50, p95] = [at(ways, 0.5), at(ways, 0.95)]
    console.log(
      `${what.padEnd(22)} p50 ${p50.toFixed(0)} ms, p95 ${p95.toFixed(0)} ms of ${ways.length} words, the socket alone p50 ${socketMs.toFixed(0)} ms: the softphone adds ${(p50 - socketMs).toFixed(0)} ms, p95 ${(p95 - socketMs).toFixed(0)} ms, target ${MOST_MS} ms`,
    )
  }
  tell('mouth to RTP', 'said', 'arrived')
  tell('RTP to ear, by echo', 'arrived', 'heard')
}
