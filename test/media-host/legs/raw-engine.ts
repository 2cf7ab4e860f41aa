import { once } from 'node:events'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { ExecutionContext } from 'ava'
import { WebSocket } from 'ws'
import type { CallId } from '../../../src/domain/ids.ts'
import { MediaHostRig, newCall } from '../../helpers/media-host-rig.ts'
import { until, within } from '../../helpers/until.ts'

/** Samples in 20 ms at 16 kHz. */
export const SLOT = 320

/** The engine's end of a leg. */
export class Engine {
  readonly socket: WebSocket
  readonly samples: number[] = []
  readonly texts: any[] = []
  /** For each text, the number of samples that had arrived before it. */
  readonly samplesBefore: number[] = []
  closed: { code: number; reason: string } | null = null

  constructor(socket: WebSocket) {
    this.socket = socket
    socket.on('error', () => {})
    socket.on('close', (code, reason) => {
      this.closed = { code, reason: String(reason) }
    })
    socket.on('message', (data: Buffer, isBinary) => {
      if (isBinary) {
        const copy = new Uint8Array(data)
        this.samples.push(...new Int16Array(copy.buffer, 0, copy.length / 2))
      } else {
        this.texts.push(JSON.parse(String(data)))
        this.samplesBefore.push(this.samples.length)
      }
    })
  }

  static async connect({ url, token }: { url: string; token: string }): Promise<Engine> {
    const engine = new Engine(new WebSocket(url, { headers: { authorization: `Bearer ${token}` } }))
    await within('the leg opens', once(engine.socket, 'open'))
    return engine
  }

  say(samples: Int16Array): void {
    this.socket.send(new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength))
  }

  of(type: string): any[] {
    return this.texts.filter((text) => text.type === type)
  }

  async ends(): Promise<{ code: number; reason: string }> {
    return until('the leg closes', () => this.closed)
  }
}

/** A media host that ends with the test. */
export async function startRig(t: ExecutionContext): Promise<MediaHostRig> {
  const rig = await MediaHostRig.start()
  t.teardown(() => rig.stop())
  return rig
}

interface Offered {
  readonly callId: CallId
  readonly media: { kind: string; url: string; token: string; rateHz: number }
}

/** An answered outbound call over raw audio. */
export async function placed(rig: MediaHostRig, node = rig.control, fence = {}): Promise<Offered> {
  const call = { ...newCall(), ...fence }
  const { sdp } = await node.do('offer', { call, kind: 'pcm16' })
  const media = JSON.parse(sdp)
  await node.do('connect', {
    callId: call.callId,
    ...fence,
    sdpAnswer: JSON.stringify({ kind: 'pcm16', rateHz: media.rateHz }),
  })
  await node.do('status', { callId: call.callId, ...fence, status: 'ACCEPTED' })
  return { callId: call.callId, media }
}

/** Lets slots pass one at a time, with a turn of the event loop for the sockets after each. */
export async function pass(rig: MediaHostRig, slots: number): Promise<void> {
  for (let slot = 0; slot < slots; slot++) {
    rig.clock.advance(20)
    rig.mediaClock.tick()
    await nextTurn()
  }
}

/** A call with audio in both directions. */
export async function flowing(rig: MediaHostRig, t: ExecutionContext): Promise<Offered & { engine: Engine }> {
  const offered = await placed(rig)
  const engine = await Engine.connect(offered.media)
  engine.say(new Int16Array(SLOT))
  await until('media flows', () => rig.control.of('flowing').some(({ callId }) => callId === offered.callId))
  t.teardown(() => engine.socket.terminate())
  return { ...offered, engine }
}
