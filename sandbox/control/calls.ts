import { z } from 'zod'
import { GOOD_NETWORK, type NetworkFaults } from '../devices/impairment.ts'
import type { DeviceNetwork } from '../devices/network.ts'
import { areDigits } from '../devices/phone-dtmf.ts'
import type { Phone } from '../devices/phone.ts'
import type { OfficialPlatform } from '../official/platform/platform.ts'
import { findLinked, readMs, readNumber } from './read.ts'
import { ControlRefusal } from './refusal.ts'
import { json, readBody, type Route } from './router.ts'

const callSchema = z.object({
  to: z.string(),
  audio: z.enum(['tone', 'echo', 'silence']).default('echo'),
  hangupAfterMs: z.int().min(0).max(3_600_000).optional(),
})
const digitsSchema = z.object({ digits: z.string().max(64).refine(areDigits, 'takes 0-9 * # A-D') })

/** our choice: an hour at most; a leg that is away so long never comes back. */
const dropSchema = z.object({ awayMs: z.int().min(0).max(3_600_000).default(250) })

/** RFC 3551 section 3: the numbers that descriptions give out. */
const descriptionSchema = z.object({
  opusType: z.int().min(96).max(127).optional(),
  codec: z.enum(['opus', 'PCMU']).default('opus'),
  newCredentials: z.boolean().default(false),
})

const percent = z.number().min(0).max(100).default(0)
/** our choice: a network that is later than 2 s, or loses a minute at once, carries no call. */
const networkSchema = z.object({
  lossPercent: percent,
  burst: z.int().min(1).max(3_000).default(1),
  jitterMs: z.number().min(0).max(2_000).default(0),
  reorderPercent: percent,
  duplicatePercent: percent,
  newAddress: z.boolean().default(false),
}) satisfies z.ZodType<NetworkFaults & { newAddress: boolean }>

/** The networks on which peers can be played. */
export interface Networks {
  readonly network: DeviceNetwork
  readonly official: OfficialPlatform
}

/** A call with a peer's phone, on either network. */
interface PlayedCall {
  readonly id: string
  readonly state: 'RINGING' | 'CONNECTED' | 'ENDED'
  readonly direction: 'INBOUND' | 'OUTBOUND'
  readonly from: string
  readonly to: string
  readonly numberId: string
  readonly createdAtMs: number
  readonly answeredAtMs: number | null
  readonly endedAtMs: number | null
  readonly reason: string | null
  readonly phone: Phone
  hangup(by: 'gateway' | 'peer'): void
}

function isoTime(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString()
}

function presentCall(call: PlayedCall) {
  return {
    callId: call.id,
    state: call.state,
    direction: call.direction,
    from: call.from,
    to: call.to,
    numberId: call.numberId,
    createdAt: isoTime(call.createdAtMs),
    answeredAt: isoTime(call.answeredAtMs),
    endedAt: isoTime(call.endedAtMs),
    reason: call.reason,
  }
}

/**
 * The call with what its phone heard. With `windowMs` the level, the frequency and the ms of audio are those of the
 * last stretch before now (or before the end), and `total` has those of the whole call.
 */
async function presentMeasured(call: PlayedCall, nowMs: number, windowMs: number | null) {
  const { ear, digits, sentMs } = call.phone
  const { ms, rms, dominantHz, ...times } = ear.heard()
  const total = { ms, rms, dominantHz }
  const measured = windowMs === null ? total : await ear.measureSince((call.endedAtMs ?? nowMs) - windowMs)
  return {
    ...presentCall(call),
    heard: {
      ...measured,
      ...times,
      total,
      gapCount: times.gaps.length,
      silentSinceMs: times.lastSoundAt === null ? null : Math.max(0, nowMs - times.lastSoundAt),
      digits: digits.map(({ digit }) => digit).join(''),
      dtmf: digits,
    },
    sent: { ms: sentMs },
  }
}

function findCall({ network, official }: Networks, callId: string | undefined): PlayedCall {
  const call = network.calls.find(callId ?? '') ?? official.calls.find(callId ?? '')
  if (!call) throw new ControlRefusal(404, 'CALL_NOT_FOUND', 'There is no such call')
  return call
}

function findLiveCall(networks: Networks, callId: string | undefined): PlayedCall {
  const call = findCall(networks, callId)
  if (call.state === 'ENDED') throw new ControlRefusal(409, 'CALL_ENDED', 'The call is over')
  return call
}

/** Rings the official number when there is one, else the linked device. */
async function placeCall(
  { network, official }: Networks,
  from: string,
  to: string,
  how: { audio: 'tone' | 'echo' | 'silence'; hangupAfterMs: number | null },
): Promise<PlayedCall> {
  const number = official.registry.byDigits(to)
  if (!number) return await network.calls.callGateway(findLinked(network, to), from, how.audio, how.hangupAfterMs)
  const call = await official.calls.callNumber(number, from, how.audio, how.hangupAfterMs)
  if (!call)
    throw new ControlRefusal(409, 'CALLING_NOT_ENABLED', 'Users cannot call this number: its calling is not enabled')
  return call
}

/** A route that breaks off the audio of a phone, as a failing network does. */
function dropMediaRoute(networks: Networks): Route {
  return {
    method: 'POST',
    path: '/control/calls/:callId/drop-media',
    answer: ({ params, body }) => {
      const { awayMs } = readBody(dropSchema, body)
      const call = findLiveCall(networks, params['callId'])
      if (!call.phone.dropMedia(awayMs))
        throw new ControlRefusal(409, 'NO_MEDIA', 'The call has no raw audio that could drop')
      return json(200, presentCall(call))
    },
  }
}

/** A route that has the official platform post `connect` again for a call, with its present description. */
function describeRoute({ official }: Networks): Route {
  return {
    method: 'POST',
    path: '/control/calls/:callId/description',
    answer: ({ params, body }) => {
      const { opusType = null, ...said } = readBody(descriptionSchema, body)
      const call = official.calls.find(params['callId'] ?? '')
      if (!call)
        throw new ControlRefusal(404, 'CALL_NOT_FOUND', 'There is no such call of a number of the official platform')
      const sdp = call.describeAgain({ opusType, ...said })
      if (sdp === null)
        throw new ControlRefusal(409, 'NO_MEDIA', 'The call is over, or the platform has described nothing of it yet')
      return json(200, { ...presentCall(call), sdp })
    },
  }
}

/** A route that makes the network of a phone bad, or another one; what a request does not name is good. */
function networkRoute(networks: Networks): Route {
  return {
    method: 'POST',
    path: '/control/calls/:callId/network',
    answer: async ({ params, body }) => {
      const { newAddress, ...faults } = readBody(networkSchema, body)
      const call = findLiveCall(networks, params['callId'])
      if (newAddress && !(await call.phone.changeAddress()))
        throw new ControlRefusal(409, 'NO_MEDIA', 'The call has no packets that could come from another address')
      const isGood = Object.entries(GOOD_NETWORK).every(
        ([name, value]) => faults[name as keyof NetworkFaults] === value,
      )
      if (!call.phone.impair(isGood ? GOOD_NETWORK : faults))
        throw new ControlRefusal(409, 'NO_MEDIA', 'The audio of the call is a socket, which loses nothing')
      return json(200, { ...presentCall(call), network: { ...faults, newAddress } })
    },
  }
}

/** Routes that act as peers in calls. */
export function peerCallRoutes(networks: Networks): Route[] {
  return [
    {
      method: 'POST',
      path: '/control/peers/:peer/calls',
      answer: async ({ params, body }) => {
        const { to, audio, hangupAfterMs } = readBody(callSchema, body)
        const call = await placeCall(networks, readNumber(params['peer']), readNumber(to), {
          audio,
          hangupAfterMs: hangupAfterMs ?? null,
        })
        return json(201, presentCall(call))
      },
    },
    {
      method: 'POST',
      path: '/control/calls/:callId/hangup',
      answer: ({ params }) => {
        const call = findLiveCall(networks, params['callId'])
        call.hangup('peer')
        return json(200, presentCall(call))
      },
    },
    dropMediaRoute(networks),
    networkRoute(networks),
    describeRoute(networks),
    {
      method: 'POST',
      path: '/control/calls/:callId/dtmf',
      answer: ({ params, body }) => {
        const { digits } = readBody(digitsSchema, body)
        const call = findLiveCall(networks, params['callId'])
        if (!call.phone.press(digits))
          throw new ControlRefusal(409, 'NO_MEDIA', 'The call has no media that carries digits yet')
        return json(200, presentCall(call))
      },
    },
  ]
}

/** Routes that read what phones heard. */
export function heardRoutes(networks: Networks, now: () => number): Route[] {
  const find = (callId: string | undefined) => findCall(networks, callId)
  return [
    { method: 'GET', path: '/control/calls', answer: ({ query }) => json(200, { calls: listCalls(networks, query) }) },
    {
      method: 'GET',
      path: '/control/calls/:callId',
      answer: async ({ params, query }) =>
        json(200, await presentMeasured(find(params['callId']), now(), readMs(query, 'window'))),
    },
    {
      method: 'GET',
      path: '/control/calls/:callId/levels',
      answer: ({ params, query }) =>
        json(200, { levels: find(params['callId']).phone.ear.levels(readMs(query, 'since') ?? 0) }),
    },
    {
      method: 'GET',
      path: '/control/calls/:callId/heard.wav',
      answer: async ({ params }) => ({
        status: 200,
        bytes: await find(params['callId']).phone.ear.recording(),
        contentType: 'audio/wav',
      }),
    },
  ]
}

/** Calls, oldest first, narrowed by `from`, `to`, `numberId` and `state`. */
function listCalls({ network, official }: Networks, query: URLSearchParams) {
  const calls: PlayedCall[] = [...network.calls.list(), ...official.calls.list()]
  return calls
    .toSorted((a, b) => a.createdAtMs - b.createdAtMs)
    .map(presentCall)
    .filter((call) =>
      (['from', 'to', 'numberId', 'state'] as const).every(
        (name) => !query.has(name) || query.get(name) === call[name],
      ),
    )
}
