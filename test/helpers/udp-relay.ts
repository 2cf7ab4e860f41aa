import { once } from 'node:events'
import { createSocket, type Socket } from 'node:dgram'
import type { Teardown } from './audio-legs.ts'

const CANDIDATE = /^(a=candidate:\S+ \d+ udp \d+) 127\.0\.0\.1 (\d+) (typ host.*)$/m

export interface UdpRelay {
  /** The description with the relay's address in place of its author's. */
  readonly sdp: string
  /** Sends a datagram to the relay's user that the other side did not send. */
  forge(datagram: Buffer): void
}

/** The port of the first candidate on loopback. */
export function portOf(sdp: string): number {
  return Number(CANDIDATE.exec(sdp)?.[2])
}

/** Relays UDP between the author of a description and its reader; `copies` says how often a datagram is passed on. */
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
