import test from 'ava'
import * as fc from 'fast-check'
import { offerFault, sdpFault, SDP_CHARACTERS, SDP_LINES, trimmedSdp } from '../../../src/domain/sdp/sdp-fault.ts'
import { ANY_LETTER } from '../../helpers/any-letter.ts'

const LINES = [
  'v=0',
  'o=- 1 1 IN IP4 127.0.0.1',
  's=-',
  't=0 0',
  'a=group:BUNDLE 0',
  'm=audio 9 UDP/TLS/RTP/SAVPF 111',
  'c=IN IP4 0.0.0.0',
  'a=setup:active',
  'a=rtpmap:111 opus/48000/2',
]
const without = (start: string) => LINES.filter((line) => !line.startsWith(start)).join('\r\n')

test('a session description of a call passes, with either line end and with or without a last one', (t) => {
  for (const text of [
    LINES.join('\r\n'),
    LINES.join('\n'),
    `${LINES.join('\r\n')}\r\n`,
    `${LINES.join('\r\n')}\r\n\r\n`,
  ]) {
    t.is(sdpFault(text), null)
    t.is(offerFault(text), null)
  }
})

test('an invalid session description is reported by its first fault', (t) => {
  for (const text of ['', 'hello', 'v=1', '{"sdp":"v=0"}', without('v=')])
    t.is(sdpFault(text), 'does not begin with v=0')
  t.is(sdpFault(without('o=')), 'has no o= line for the session')
  t.is(sdpFault(without('s=')), 'has no s= line for the session')
  t.is(sdpFault(without('t=')), 'has no t= line for the session')
  t.is(sdpFault(without('m=')), 'has no m=audio line')
  t.is(sdpFault(LINES.join('\r\n').replace('m=audio', 'm=video')), 'has no m=audio line')
  t.is(sdpFault(LINES.slice(0, 4).join('\r\n')), 'has no m=audio line')
  t.is(sdpFault(LINES.join('\r\n').replace(/m=audio.*/, 'm=audio')), 'has no m=audio line')
  for (const line of ['not a line', '1a=x', 'A=x', 'a', 'a=x\u2028y'])
    t.is(sdpFault([...LINES, line].join('\r\n')), 'has a line that is not <letter>=<value>', line)
  t.is(sdpFault([...LINES, `a=${'x'.repeat(SDP_CHARACTERS)}`].join('\r\n')), `is over ${SDP_CHARACTERS} characters`)
  t.is(sdpFault([...LINES, ...Array<string>(SDP_LINES).fill('a=x')].join('\r\n')), `has over ${SDP_LINES} lines`)
})

test('a session description may be as long as the most that is taken', (t) => {
  const filled = `${LINES.join('\n')}\na=`
  t.is(sdpFault(filled.padEnd(SDP_CHARACTERS, 'x')), null)
  t.is(sdpFault(filled.padEnd(SDP_CHARACTERS + 1, 'x')), `is over ${SDP_CHARACTERS} characters`)
  const lines = [...LINES, ...Array<string>(SDP_LINES - LINES.length).fill('a=x')]
  t.is(sdpFault(lines.join('\n')), null)
  t.is(sdpFault([...lines, 'a=x'].join('\n')), `has over ${SDP_LINES} lines`)
})

test('white space within the version is no fault', (t) => {
  t.is(sdpFault(LINES.join('\r\n').replace('v=0', 'v= \t0')), null)
})

test('white space around lines and empty lines are no fault, and are all that is taken off', (t) => {
  const padded = `\r\n${LINES.map((line) => ` ${line} \t`).join('\r\n\r\n')}\r\n\r\n`
  t.is(offerFault(padded), null)
  t.is(trimmedSdp(padded), `${LINES.join('\r\n')}\r\n`)
  t.is(trimmedSdp(LINES.join('\n')), `${LINES.join('\n')}\n`)
  const whole = `${[...LINES, 'a=fmtp:111 minptime=10;  useinbandfec=1', 'a=X-own: Kept As It Is'].join('\r\n')}\r\n`
  t.is(trimmedSdp(whole), whole)
  t.is(trimmedSdp(whole.replace('s=-', 's= ')), whole)
})

test('a setup of the session is that of its media', (t) => {
  const atSession = [
    ...LINES.slice(0, 4),
    'a=setup:active',
    ...LINES.slice(4).filter((line) => !line.startsWith('a=setup')),
  ]
  t.is(offerFault(atSession.join('\r\n')), null)
})

test('a time line of the media alone is none of the session', (t) => {
  t.is(
    sdpFault([...LINES.filter((line) => !line.startsWith('t=')), 't=0 0'].join('\r\n')),
    'has no t= line for the session',
  )
})

test('an offer is the active side of every part', (t) => {
  t.is(offerFault(without('a=setup')), 'has no a=setup:active')
  for (const setup of ['actpass', 'passive', 'activex'])
    t.is(offerFault(LINES.join('\r\n').replace('a=setup:active', `a=setup:${setup}`)), 'has no a=setup:active')
  t.is(offerFault([...LINES, 'm=audio 9 RTP/AVP 0', 'a=setup:actpass'].join('\r\n')), 'has no a=setup:active')
})

test('no text is a fault of ours', (t) => {
  fc.assert(
    fc.property(fc.string({ unit: ANY_LETTER }), fc.nat(LINES.length), (noise, at) => {
      const fault = offerFault([...LINES.slice(0, at), noise, ...LINES.slice(at)].join('\r\n'))
      return fault === null || typeof fault === 'string'
    }),
  )
  t.pass()
})
