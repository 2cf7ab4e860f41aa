import { z } from 'zod'
import { CALL_MEDIA_KINDS } from '../../../src/domain/call-media.ts'
import { newId } from '../../../src/domain/ids.ts'
import type { OpenAudio } from '../audio/call-audio.ts'
import type { CallMedia } from '../../../src/domain/call-media.ts'
import { openPcm16Audio } from '../audio/pcm16.ts'
import { openWebRtcAudio } from '../audio/webrtc.ts'
import { eventFault } from '../event-shapes.ts'
import { NotOffered, shown, Unmet } from '../finding.ts'
import type { PlacedCall, World } from '../world.ts'
import { WITH_CALLS, type CheckRow } from './row.ts'

/** Codes by which an engine says that it carries no audio ([engines.baileys-duties.7]). */
const NO_AUDIO = new Set(['CALL_AUDIO_UNSUPPORTED', 'UNSUPPORTED'])
/** our choice, in ms: how long a person may take to answer a ringing phone. */
const ANSWER_MS = 60_000
/** our choice, in ms: how much of a voice must be heard, and how much of our own tone in it makes it an echo. */
const HEARD_MS = 1_000
const ECHO_MS = 600
/** our choice, in ms: how long to wait for an echo after the first second that was heard. */
const LISTEN_MS = 8_000
const LOOK_MS = 100

const OPENERS: Readonly<Record<CallMedia['kind'], OpenAudio>> = { webrtc: openWebRtcAudio, pcm16: openPcm16Audio }
const OFFERED = z.object({ callId: z.string().min(1) })
const LISTED = z.array(z.object({ callId: z.string(), callRef: z.string().nullable(), state: z.string() }))

function placed(world: World): PlacedCall {
  if (world.call === null) throw new Unmet('there was no call')
  return world.call
}

async function offer(world: World): Promise<string> {
  const end = await world.open()
  // Like a gateway, the check uses the kind of media that the engine names first.
  const kind = CALL_MEDIA_KINDS.find((known) => known === world.engine.callMedia?.[0]) ?? 'webrtc'
  const {
    parts: { clock, log },
    options: { mediaAddress, peer },
  } = world
  const audio = await OPENERS[kind]({ address: mediaAddress, clock, log })
  world.atEnd(() => audio.close())
  const callRef = newId('call')
  const answer = await end.ask<string>('call.offer', { to: peer ?? '', media: audio.offer, callRef })
  const claims = world.engine.capabilities?.includes('callAudio') ?? true
  if (!answer.ok && NO_AUDIO.has(answer.error.code) && !claims)
    throw new NotOffered(`${answer.error.code}, and callAudio is not among the capabilities`)
  if (!answer.ok) throw new Unmet(`call.offer was refused: ${shown(answer.error)}`)
  const parsed = OFFERED.safeParse(answer.result)
  if (!parsed.success) throw new Unmet(`no callId: ${shown(answer.result)}`)
  world.call = { callId: parsed.data.callId, callRef, audio }
  return `${shown(parsed.data.callId)}, over ${kind}`
}

/** Waits for a second of the peer's audio, and then a while for our own tone in it. */
async function listen(world: World, { audio: { ear } }: PlacedCall): Promise<string> {
  const {
    parts: { clock },
    options: { patienceMs },
  } = world
  const deadlineMs = clock.monotonicMs() + patienceMs + LISTEN_MS
  while (ear.oursMs < ECHO_MS && clock.monotonicMs() < deadlineMs)
    await new Promise<void>((resolve) => clock.after(LOOK_MS, resolve))
  if (ear.heardMs === 0) throw new Unmet('nothing came: no audio of the peer at all')
  if (ear.audibleMs < HEARD_MS && ear.oursMs < ECHO_MS)
    throw new Unmet(`${Math.round(ear.heardMs)} ms came, ${Math.round(ear.audibleMs)} ms of them could be heard`)
  return ear.oursMs >= ECHO_MS
    ? 'our own tone came back: both ways'
    : `a voice of ${Math.round(ear.audibleMs)} ms; whether the peer hears us, the peer alone knows`
}

/** Checks of a call to the peer. */
export const CALLING: readonly CheckRow[] = [
  {
    name: 'call.offer',
    says: 'call.offer places a call and answers its callId, or says that the engine carries no audio [bridge.ops.9] [engines.bridge.2].',
    needs: ['pair.open'],
    asked: WITH_CALLS,
    look: offer,
  },
  {
    name: 'call.listed',
    says: 'calls.list names a live call with the callRef of its offer, or is UNSUPPORTED [nodes.calls.8].',
    needs: ['call.offer'],
    asked: WITH_CALLS,
    async look(world) {
      const { callId, callRef } = placed(world)
      const result = await (await world.open()).result('calls.list', {}, true)
      const row = LISTED.safeParse(result).data?.find((call) => call.callId === callId)
      if (row?.callRef !== callRef) throw new Unmet(shown(result))
      return row.state
    },
  },
  {
    name: 'call.answered',
    says: 'A call that the peer takes is told: call.answered with its media [bridge.events.8].',
    needs: ['call.offer'],
    asked: WITH_CALLS,
    async look(world) {
      const { callId, audio } = placed(world)
      const answered = await world.current.event(
        'call.answered',
        (event) => event['callId'] === callId && (event.ev === 'call.answered' || event.ev === 'call.ended'),
        ANSWER_MS,
      )
      if (answered.ev === 'call.ended') throw new Unmet(`call.ended, reason ${String(answered['reason'])}`)
      const fault = eventFault(answered)
      if (fault !== null) throw new Unmet(fault)
      await audio.connect(answered['media'] as CallMedia).catch((error: unknown) => {
        throw new Unmet(`its media cannot be used: ${error instanceof Error ? error.message : 'unknown'}`)
      })
      return `over ${(answered['media'] as CallMedia).kind}`
    },
  },
  {
    name: 'call.audio',
    says: 'Audio goes both ways: 20 ms after 20 ms, from the answer on [engines.pcm16.3].',
    needs: ['call.answered'],
    asked: WITH_CALLS,
    look: (world) => listen(world, placed(world)),
  },
  {
    name: 'call.ended',
    says: 'call.terminate ends the call, and call.ended is told with its reason; once over it stays over [bridge.ops.11] [bridge.events.9].',
    needs: ['call.answered'],
    asked: WITH_CALLS,
    async look(world) {
      const { callId, callRef } = placed(world)
      const end = await world.open()
      await end.result('call.terminate', { callId })
      const { reason } = await end.event(
        'call.ended',
        (event) => event.ev === 'call.ended' && event['callId'] === callId,
      )
      if (reason !== 'hangup') throw new Unmet(`call.ended, reason ${String(reason)}`)
      const again = await end.ask('call.terminate', { callRef })
      if (!again.ok && again.error.code !== 'UNKNOWN_CALL')
        throw new Unmet(`ended again it is refused: ${shown(again.error)}`)
      return 'call.ended, reason hangup'
    },
  },
]
