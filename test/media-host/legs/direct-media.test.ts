import test from 'ava'
import { RtpHeader, SrtpSession } from 'werift'
import { DirectMedia } from '../../../media-host/legs/direct-media.ts'
import type { RtpIn } from '../../../media-host/legs/transport.ts'

const PEER = ['127.0.0.1', 9] as const
const SSRC = 7
const GCM = 7
const key = (byte: number) => Buffer.alloc(16, byte)
const salt = (byte: number) => Buffer.alloc(14, byte)
const SPEECH = Buffer.from([0xf8, 1, 2, 3])

/** The keys of one side and of its peer. */
function sessions(): { ours: SrtpSession; peers: SrtpSession } {
  const [mine, theirs] = [
    { key: key(1), salt: salt(2) },
    { key: key(3), salt: salt(4) },
  ]
  const of = (local: typeof mine, remote: typeof mine) =>
    new SrtpSession({
      keys: {
        localMasterKey: local.key,
        localMasterSalt: local.salt,
        remoteMasterKey: remote.key,
        remoteMasterSalt: remote.salt,
      },
      profile: GCM,
    })
  return { ours: of(mine, theirs), peers: of(theirs, mine) }
}

/** The stack's side with one socket, which keeps what is sent and what the stack is given. */
function stack() {
  const { ours, peers } = sessions()
  const sent: Buffer[] = []
  const stacks: Buffer[] = []
  const heard: RtpIn[] = []
  const protocols: object[] = []
  const socket = {
    transport: { closed: false, send: async (datagram: Buffer) => void sent.push(datagram) },
    datagramReceived: (datagram: Buffer) => void stacks.push(datagram),
  }
  const state = { mayStart: false, mayBeSentTo: true }
  const connection = {
    nominated: { protocol: socket, remoteAddr: PEER },
    canSendApplicationData: () => state.mayBeSentTo,
    ensureProtocol: (opened: object) => void protocols.push(opened),
  }
  const transport = {
    iceTransport: { connection },
    get srtp() {
      return state.mayStart ? ours : undefined
    },
  }
  const media = new DirectMedia(transport, (packet) => heard.push(packet))
  connection.ensureProtocol(socket)
  const send = () => media.send({ payload: SPEECH, payloadType: 111, sequence: 1, timestamp: 960, marker: false }, SSRC)
  const receive = (datagram: Buffer) => socket.datagramReceived(datagram)
  const fromPeer = () =>
    peers.encrypt(SPEECH, new RtpHeader({ ssrc: 8, payloadType: 111, sequenceNumber: 5, timestamp: 6 }))
  return { state, socket, sent, stacks, heard, peers, send, receive, fromPeer }
}

test('before the keys are known nothing is sent, and what comes is not heard', (t) => {
  const { state, sent, heard, send, receive, fromPeer } = stack()
  send()
  receive(fromPeer())
  t.deepEqual([sent.length, heard.length], [0, 0])
  state.mayStart = true
  send()
  receive(fromPeer())
  t.deepEqual([sent.length, heard.length], [1, 1])
})

test('the peer opens what is sent, and its packets are heard; forged ones are not', (t) => {
  const { state, sent, heard, peers, send, receive, fromPeer } = stack()
  state.mayStart = true
  send()
  t.deepEqual(sent[0] && peers.decrypt(sent[0]).subarray(12), SPEECH)
  const forged = fromPeer()
  forged[13] = (forged[13] ?? 0) ^ 1
  receive(forged)
  t.is(heard.length, 0)
  receive(fromPeer())
  t.like(heard, [{ ssrc: 8, payloadType: 111, sequence: 5, timestamp: 6, payload: SPEECH }])
})

test('without consent of the peer, and when the socket is closed, nothing is sent', (t) => {
  const { state, socket, sent, send } = stack()
  state.mayStart = true
  state.mayBeSentTo = false
  send()
  state.mayBeSentTo = true
  socket.transport.closed = true
  send()
  t.is(sent.length, 0)
})

test('checks, handshakes and RTCP are the stack’s, and RTP is not', (t) => {
  const { state, stacks, receive, fromPeer } = stack()
  state.mayStart = true
  const others = [0, 22, 0x80].map((first) => Buffer.from([first, 200, ...Buffer.alloc(20)]))
  for (const datagram of [...others, fromPeer()]) receive(datagram)
  t.deepEqual(stacks, others)
})
