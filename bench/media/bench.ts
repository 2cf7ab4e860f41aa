import { loadavg } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import { loadOpus } from '../../media-host/audio/opus.ts'
import type { CallMediaKind } from '../../src/domain/call-media.ts'
import type { CallId, NumberId, TenantId } from '../../src/domain/ids.ts'
import type { SessionCodec } from '../../src/domain/realtime-session.ts'
import type { MediaCall } from '../../src/ports/media.ts'
import { FarProcesses } from './far-processes.ts'
import { startForwarder } from './forwarder-under-test.ts'
import { startHost } from './host-under-test.ts'
import type { CarrierUnderTest } from './host-under-test.ts'
import { opusCost } from './opus-cost.ts'
import { ownCore } from './own-core.ts'
import { tracksOf } from './tracks.ts'
import type { Profile } from './tracks.ts'

/**
 * Measures how many bridged calls one media host process carries: PCM over WebSocket both ways and Opus over WebRTC
 * both ways. Phones and socket clients run in processes of their own, 25 calls each, which are counted apart; they
 * neither code nor decrypt: a row whose `far late` exceeds a few ms measured them, not the host.
 *
 *   node bench/media/bench.ts [calls,calls,...] [seconds a step] [both | turns | opus | record] [apart] [every=200]
 *
 * - `both` (when none is named): everybody talks all the time; then, in a host of its own, over raw audio legs.
 * - `turns`: a person and a bot speak in turns, with pauses; a bot sends nothing while it is silent.
 * - `opus`: the clients take and give packets as they are (`codec=opus`), beside a process that forwards packets over
 *   the same transport and does nothing else.
 * - `record`: calls that are recorded, beside calls that are not.
 *
 * With `apart` the process under test has the last core, and everybody else the others.
 *
 * `every=1000` starts a call each second: how fast calls come decides how soon admission refuses the next one.
 *
 * Lateness depends on the machine as much as on the host. Beside other work, run the bench in a session with priority:
 *
 *   setsid --wait sh -c 'echo -15 > /proc/self/autogroup; node bench/media/bench.ts'
 */

/** Our choice, in ms: the smallest depth of the jitter buffer, for the figure "beyond the jitter buffer". */
const JITTER_BUFFER_MS = 40
const SETTLE_MS = 3_000
/** A host that refuses for the moment is asked again after this many ms, as a gateway does. */
const RETRY_MS = 2_000
const TRIES = 8

const isApart = process.argv.includes('apart')
/** A handshake costs about 7 ms of CPU (measured), so calls start this many ms apart, as they do in service. */
const everyMs = Number(process.argv.find((text) => text.startsWith('every='))?.slice('every='.length) ?? 200)
if (!(everyMs > 0)) throw new Error('every= takes a number of ms')
if (isApart && !ownCore.isPossible) throw new Error('apart takes two cores')
const [stepsText = '25,50,75,100', secondsText = '10', run = 'both'] = process.argv
  .slice(2)
  .filter((text) => text !== 'apart' && !text.startsWith('every='))
const steps = stepsText.split(',').map(Number)
const seconds = Number(secondsText)

/** One thing to measure: what carries the calls, over which kind of leg, for clients of which codec, that say what. */
interface Subject {
  readonly name: string
  readonly profile: Profile
  readonly kind: CallMediaKind
  readonly codec: SessionCodec
  readonly record?: true
  start(): Promise<CarrierUnderTest>
}

async function startCall(host: CarrierUnderTest, far: FarProcesses, index: number, subject: Subject): Promise<void> {
  const { kind, codec, record = false } = subject
  const callId = `call_bench${index}` as CallId
  const call: MediaCall = {
    callId,
    tenantId: 'ten_bench' as TenantId,
    numberId: 'num_bench' as NumberId,
    direction: 'OUTBOUND',
    peerNumber: String(491510000000 + index),
    externalCallId: null,
    status: 'INITIATED',
    record,
  }
  const { sdp } = await patiently(() => host.ask('offer', { call, kind }))
  const answer = String(await far.askOf(index, { op: 'answer', call: index, sdp }))
  await host.ask('connect', { callId, sdpAnswer: answer })
  await host.ask('status', { callId, status: 'ACCEPTED' })
  await patiently(async () => {
    const { wsUrl } = await host.ask('mint', { callId, mode: 'talk' })
    return far.askOf(index, { op: 'open', call: index, wsUrl, codec, isProbe: index === 0 })
  })
}

let refusals = 0

async function patiently<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await work()
    } catch (error) {
      if (tries === TRIES) throw error
      refusals++
      await pause(RETRY_MS)
    }
  }
}

async function measure(
  host: CarrierUnderTest,
  far: FarProcesses,
  calls: number,
  emptyRssBytes: number,
  opusMs: number,
) {
  await pause(SETTLE_MS)
  await far.reset()
  const cpuBefore = await host.cpuMs()
  const startedMs = performance.now()
  await pause(seconds * 1_000)
  const cpuMs = (await host.cpuMs()) - cpuBefore
  const elapsedMs = performance.now() - startedMs
  const counts = await far.counts()
  const perCall = cpuMs / elapsedMs / calls
  const expected = counts.seconds * 50 * (calls - 1)
  return {
    calls,
    'CPU %': round((cpuMs / elapsedMs) * 100, 0),
    'CPU %/call': round(perCall * 100, 2),
    'x bare Opus': round(perCall / ((opusMs * 50) / 1_000), 2),
    refused: refusals,
    'late p99 ms': await host.tickLateP99Ms(),
    'RTP lost': counts.rtpMissing,
    'WS frames %': round((counts.wsFrames / expected) * 100, 1),
    'RTP %': round((counts.rtpPackets / expected) * 100, 1),
    'MB/call': round(((await host.rssBytes()) - emptyRssBytes) / 1_048_576 / calls, 2),
    'WS>RTP p50/p95': `${round(quantile(counts.wsToRtpMs, 0.5), 1)} / ${round(quantile(counts.wsToRtpMs, 0.95), 1)}`,
    [`RTP>WS p50/p95 -${JITTER_BUFFER_MS}`]: `${round(quantile(counts.rtpToWsMs, 0.5) - JITTER_BUFFER_MS, 1)} / ${round(quantile(counts.rtpToWsMs, 0.95) - JITTER_BUFFER_MS, 1)}`,
    'far CPU %': round((counts.cpuMs / elapsedMs) * 100, 0),
    'far late': counts.farLateP99Ms,
    load: round(loadavg()[0] ?? 0, 1),
  }
}

function quantile(values: readonly number[], q: number): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * q)] ?? NaN
}

function round(value: number, digits: number): number {
  return Number(value.toFixed(digits))
}

const opus = await loadOpus()

/** What bare Opus takes for a slot of what these calls say, in ms. */
async function bareOpusMs(profile: Profile): Promise<number> {
  const { encodeUs, decodeUs } = await opusCost(opus, tracksOf(opus, profile))
  const opusMs = (encodeUs + decodeUs) / 1_000
  console.log(
    `${profile}: bare Opus, 16 kHz, 20 ms: encode ${encodeUs.toFixed(0)} us, decode ${decodeUs.toFixed(0)} us: ${(opusMs * 5).toFixed(2)} % of a core per call`,
  )
  return opusMs
}

/** Measures one kind of leg on a host of its own, step by step. */
async function bench(subject: Subject): Promise<Record<string, unknown>[]> {
  const { name } = subject
  const opusMs = await bareOpusMs(subject.profile)
  const host = await subject.start()
  if (isApart) ownCore.forTested(host.pid)
  const far = new FarProcesses(subject.profile, isApart ? ownCore.forLoad : undefined)
  refusals = 0
  const emptyRssBytes = await host.rssBytes()
  console.log(`${name}: process without calls: ${round(emptyRssBytes / 1_048_576, 0)} MB`)
  let calls = 0
  const rows: Record<string, unknown>[] = []
  try {
    for (const step of steps) {
      for (; calls < step; calls++) {
        await startCall(host, far, calls, subject)
        await pause(everyMs)
      }
      rows.push({ name, ...(await measure(host, far, calls, emptyRssBytes, opusMs)) })
    }
  } catch (error) {
    console.log(`stopped at ${calls} calls: ${error instanceof Error ? error.message : String(error)}`)
  }
  far.stop()
  await host.stop()
  return rows
}

const PCM = { profile: 'both', kind: 'webrtc', codec: 'pcm16', start: startHost } as const
const OPUS = { profile: 'both', kind: 'webrtc', codec: 'opus' } as const
const SUBJECTS: Readonly<Record<string, readonly Subject[]>> = {
  both: [
    { ...PCM, name: 'WebRTC leg' },
    { ...PCM, name: 'raw leg', kind: 'pcm16' },
  ],
  turns: [{ ...PCM, name: 'in turns', profile: 'turns' }],
  opus: [
    { ...OPUS, name: 'bare forwarding', start: startForwarder },
    { ...OPUS, name: 'opus as it is', start: startHost },
  ],
  record: [
    { ...PCM, name: 'WebRTC leg' },
    { ...PCM, name: 'recorded', record: true },
  ],
}

const [first, second] = SUBJECTS[run] ?? []
if (!first) throw new Error(`the bench runs ${Object.keys(SUBJECTS).join(', ')}`)
const before = await bench(first)
const after = second ? await bench(second) : []
console.table([...before, ...after])
for (const [index, row] of after.entries()) {
  const beside = before[index]
  if (beside)
    console.log(
      `${String(row['calls'])} calls: ${second?.name} costs ${round((Number(row['CPU %/call']) / Number(beside['CPU %/call'])) * 100, 0)} % of the CPU of ${first.name}`,
    )
}
