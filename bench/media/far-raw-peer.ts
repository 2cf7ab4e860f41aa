import { WebSocket } from 'ws'
import { describeMedia, readDescription } from '../../src/domain/call-media.ts'
import type { FarPeer } from './far-peer.ts'

const LOUD_SAMPLE = 1_000

/** An engine with raw audio: it sends ready samples and counts what arrives. */
export function openFarRawPeer(): FarPeer {
  let socket: WebSocket | null = null
  let listener: (payloadBytes: number) => void = () => {}
  let packets = 0
  return {
    async answer(offer) {
      const media = readDescription(offer)
      if (media?.kind !== 'pcm16' || media.url === undefined) throw new Error('no address to connect to')
      const opened = new WebSocket(media.url, {
        headers: { authorization: `Bearer ${media.token}` },
        perMessageDeflate: false,
      })
      socket = opened
      await new Promise<void>((resolve, reject) => {
        opened.once('open', () => resolve())
        opened.once('error', reject)
      })
      opened.on('message', (data: Buffer, isBinary: boolean) => {
        if (!isBinary) return
        packets++
        listener(isLoud(data) ? data.length : 0)
      })
      return describeMedia({ kind: 'pcm16', rateHz: media.rateHz })
    },
    send(packet) {
      if (socket?.readyState === WebSocket.OPEN) socket.send(packet)
    },
    onPacket(on) {
      listener = on
    },
    get packets() {
      return packets
    },
    missing: 0,
    resetCounts() {
      packets = 0
    },
  }
}

function isLoud(data: Buffer): boolean {
  for (let at = 0; at + 1 < data.length; at += 2) if (Math.abs(data.readInt16LE(at)) >= LOUD_SAMPLE) return true
  return false
}
