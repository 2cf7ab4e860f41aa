import { once } from 'node:events'
import { createSocket, type Socket } from 'node:dgram'
import type { Teardown } from './audio-legs.ts'

const CANDIDATE = /^(a=candidate:\S+ \d+ udp \d+) 127\.0\.0\.1 (\d+) (typ host.*)$/m

export interface UdpRelay {
  /** The description with the way through the relay in place of the way to who wrote it. */
  readonly sdp: string
  /** Has who uses that way hear a datagram that the other did not send. */
  forge(datagram: Buffer): void
}

/** Port of the first candidate on loopback. */
export function portOf(sdp: string): number {
  return Number(CANDIDATE.exec(sdp)?.[2])
}

/** Stands between who wrote a description and who reads it; `copies` says how often a datagram is passed on. */
export async function relayTo(t: Teardown, sdp: string, copies: (datagram: Buffer) => number): Promise<UdpRelay> {
  const front = createSocket('udp4')
  const back = createSocket('udp4')
  let sender: { port: number } | null = null
  const pass = (socket: Socket, datagram: Buffer, to: number): void => {
    for (let copy = 0; copy < copies(datagram); copy++) socket.send(datagram, to, '127.0.0.1')
  }
  front.on('message', (datagram, from) => {
    sender = from
    pass(back, datagram, portOf(sdp))
  })
  back.on('message', (datagram) => sender && pass(front, datagram, sender.port))
  for (const socket of [front, back]) {
    socket.bind(0, '127.0.0.1')
    await once(socket, 'listening')
    t.teardown(() => socket.close())
  }
  return {
    sdp: sdp.replace(CANDIDATE, `$1 127.0.0.1 ${front.address().port} $3`),
    forge: (datagram) => sender && front.send(datagram, sender.port, '127.0.0.1'),
  }
}
