import test from 'ava'
import type { OutgoingFrame } from '../../../media-host/audio/frame.ts'
import { loadOpus } from '../../../media-host/audio/opus.ts'
import type { Leg } from '../../../media-host/legs/leg.ts'
import { type LegNotes, legOpener, type NotedLeg } from '../../helpers/audio-legs.ts'
import { StockPeer } from '../../helpers/stock-peer.ts'
import { until } from '../../helpers/until.ts'
import { WRITTEN_OFFERS } from '../../helpers/written-offers.ts'

const SILENCE: OutgoingFrame = { kind: 'silence' }

interface Section {
  readonly kind: string
  readonly port: number
  readonly lines: readonly string[]
}

/** The sections by `m=` line; the lines before the first one belong to the session. */
function sectionsOf(sdp: string): { readonly session: readonly string[]; readonly sections: readonly Section[] } {
  const [session = '', ...sections] = sdp.split(/^[ \t]*(?=m=)/m)
  const linesOf = (text: string) =>
    text
      .split(/\r\n|\r|\n/)
      .map((line) => line.trim())
      .filter(Boolean)
  return {
    session: linesOf(session),
    sections: sections.map((text) => {
      const lines = linesOf(text)
      const [, kind = '', port = ''] = /^m=(\w+)\s+(\d+)/.exec(lines[0] ?? '') ?? []
      return { kind, port: Number(port), lines: lines.slice(1) }
    }),
  }
}

const isTaken = ({ port, lines }: Section) => port !== 0 && !lines.includes('a=inactive')
const midOf = ({ lines }: Section) => lines.find((line) => /^a=mid:./.test(line)) ?? null

/** The answer that the stock peer would have got for its own offer, which has one section. */
function toStock(answer: string): string {
  const { session, sections } = sectionsOf(answer)
  const voice = sections.find(isTaken)
  const lines = (voice?.lines ?? []).filter((line) => !line.startsWith('a=mid:'))
  return [
    ...session.filter((line) => !line.startsWith('a=group:')),
    'a=group:BUNDLE 0',
    'm=audio 9 UDP/TLS/RTP/SAVPF 111 126',
    'a=mid:0',
    ...lines,
    '',
  ].join('\r\n')
}

test('there are 120 ways to write an offer, no two alike', (t) => {
  t.true(WRITTEN_OFFERS.length >= 120, `${WRITTEN_OFFERS.length}`)
  const plain = [
    'v=0',
    'o=- 1 0 IN IP4 0.0.0.0',
    's=-',
    't=0 0',
    'a=group:BUNDLE 0',
    'm=audio 9 UDP/TLS/RTP/SAVPF 111 126',
    'c=IN IP4 0.0.0.0',
    'a=candidate:6 1 udp 2116026367 127.0.0.1 33084 typ host',
    'a=end-of-candidates',
    'a=ice-ufrag:622d',
    'a=ice-pwd:6c534124b479732db95351',
    'a=ice-options:trickle',
    `a=fingerprint:sha-256 ${Array(32).fill('AB').join(':')}`,
    'a=setup:actpass',
    'a=sendrecv',
    'a=mid:0',
    'a=rtcp:9 IN IP4 0.0.0.0',
    'a=rtcp-mux',
    'a=ssrc:3247945223 cname:x',
    'a=rtpmap:111 opus/48000/2',
    'a=fmtp:111 minptime=10;useinbandfec=1',
    'a=rtpmap:126 telephone-event/8000',
    'a=fmtp:126 0-15',
    '',
  ].join('\r\n')
  t.is(new Set(WRITTEN_OFFERS.map(({ write }) => write(plain))).size, WRITTEN_OFFERS.length)
})

/**
 * The stock peer gives up a handshake when a busy machine answers late. Both ends then start anew, at most this often.
 */
const TRIES = 5

interface Meeting {
  readonly peer: StockPeer
  readonly leg: Leg
  readonly notes: LegNotes
}

const isHeard = ({ peer, leg }: Meeting): boolean => {
  peer.say()
  leg.send(SILENCE)
  return leg.isFlowing && peer.heard > 0
}

/**
 * Lets a peer and a leg exchange descriptions and waits for the expected outcome. Resolves to what the leg reported.
 */
async function meet(
  what: string,
  open: () => NotedLeg,
  exchange: (meeting: Meeting) => Promise<unknown>,
  hasHappened: (meeting: Meeting) => boolean = isHeard,
): Promise<LegNotes> {
  for (let tries = 1; ; tries++) {
    const ends: (() => void)[] = []
    const meeting = { peer: new StockPeer({ teardown: (end) => ends.push(end) }), ...open() }
    try {
      await exchange(meeting)
      await until(what, () => hasHappened(meeting) || meeting.notes.lost.length > 0 || meeting.peer.state === 'failed')
      if (meeting.peer.state !== 'failed' || tries === TRIES) return { ...meeting.notes }
    } finally {
      meeting.leg.close()
      for (const end of ends) end()
    }
  }
}

/** Handshakes at the same time. Each waits more than it computes. */
const LANES = 8

for (let lane = 0; lane < LANES; lane++) {
  test(`an offer is answered however it is written, and both sides are heard (${lane + 1} of ${LANES})`, async (t) => {
    const open = legOpener(await loadOpus(), t)
    for (const { name, write, carriesVoice } of WRITTEN_OFFERS.filter((_, at) => at % LANES === lane)) {
      const { lost, flowing } = await meet(`${name}: both are heard`, open, async ({ peer, leg }) => {
        const offer = write(await peer.offer())
        const answer = await leg.answer(offer)
        const [asked, told] = [sectionsOf(offer), sectionsOf(answer)]
        t.deepEqual(
          told.sections.map(({ kind }) => kind),
          asked.sections.map(({ kind }) => kind),
          `${name}: each section in its place`,
        )
        t.deepEqual(told.sections.map(midOf), asked.sections.map(midOf), `${name}: mids as they were`)
        const [voice, ...more] = told.sections.filter(isTaken)
        t.is(voice?.kind, 'audio', name)
        t.deepEqual(more, [], `${name}: nothing but the voice is taken`)
        t.true(voice?.lines.includes('a=sendrecv'), name)
        const kept = told.sections.filter(({ port }) => port !== 0)
        t.is(kept.length, carriesVoice ? 2 : 1, `${name}: all else is rejected`)
        const mids = kept.flatMap((section) => midOf(section)?.slice('a=mid:'.length) ?? [])
        const isNamed = asked.session.some(
          (line) => line.startsWith('a=group:BUNDLE') && line.split(' ').includes(mids.at(-1) ?? 'none'),
        )
        t.deepEqual(
          told.session.filter((line) => line.startsWith('a=group:')),
          isNamed ? [`a=group:BUNDLE ${mids.join(' ')}`] : [],
          `${name}: the group`,
        )
        await peer.connect(toStock(answer))
      })
      t.deepEqual([lost, flowing], [[], 1], name)
    }
  })
}

/**
 * The ways in which an answer may be written. The peer takes the other side of the handshake unless the answer says
 * otherwise.
 */
const ANSWERS: Readonly<Record<string, (answer: string) => string>> = {
  'as the stack writes it': (answer) => answer,
  'with nothing that can be left out': (answer) =>
    answer.replaceAll(/^a=(?:mid|group|sendrecv|rtcp|msid|extmap|ice-options|end-of-candidates|fmtp).*\r\n/gm, ''),
  'with LF, spaces behind lines and attributes nobody knows': (answer) =>
    answer.replaceAll('\r\n', ' \n').replace('a=mid', 'a=x-own:1\na=mid'),
  'without candidates': (answer) => answer.replaceAll(/^a=(?:candidate|end-of-candidates).*\r\n/gm, ''),
}

for (const [what, write] of Object.entries(ANSWERS)) {
  test(`an answer ${what} is taken, and both sides are heard`, async (t) => {
    const open = legOpener(await loadOpus(), t)
    const { lost, flowing } = await meet('both are heard', open, async ({ peer, leg }) =>
      leg.connect(write(await peer.answer(await leg.offer()))),
    )
    t.deepEqual([lost, flowing], [[], 1])
  })
}

/** Makes the single section of a description of the stock peer receive only. */
const silent = (description: string): string => description.replace('a=sendrecv', 'a=recvonly')

const isOneWay = ({ peer, leg, notes }: Meeting): boolean => {
  leg.send(SILENCE)
  return notes.flowing > 0 && peer.heard > 0
}

test('a peer that says it hears and sends nothing flows all the same, offering and answering', async (t) => {
  const open = legOpener(await loadOpus(), t)
  const offering = await meet(
    'the peer that offered hears, and the call has media',
    open,
    async ({ peer, leg }) => {
      const answer = await leg.answer(silent(await peer.offer()))
      t.true(answer.includes('a=sendonly'))
      await peer.connect(toStock(answer))
    },
    isOneWay,
  )
  const answering = await meet(
    'the peer that answered hears, and the call has media',
    open,
    async ({ peer, leg }) => leg.connect(silent(await peer.answer(await leg.offer()))),
    isOneWay,
  )
  for (const notes of [offering, answering]) t.deepEqual(notes, { digits: [], lost: [], flowing: 1 })
})
