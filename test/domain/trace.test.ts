import test from 'ava'
import fc from 'fast-check'
import { readTraceparent, spanIdOf, toTrace, traceIdOf } from '../../src/domain/trace.ts'

const hex = (length: number) =>
  fc
    .array(fc.constantFrom(...'0123456789abcdef'), { minLength: length, maxLength: length })
    .map((digits) => digits.join(''))
    .filter((text) => !/^0+$/.test(text))

test('a traceparent is read by its last flag, whatever the others are', (t) => {
  fc.assert(
    fc.property(hex(32), hex(16), fc.integer({ min: 0, max: 255 }), (traceId, spanId, flags) => {
      const read = readTraceparent(`00-${traceId}-${spanId}-${flags.toString(16).padStart(2, '0')}`)
      if (read === null || read === 'unrecorded') return (flags & 1) === 0 && read === 'unrecorded'
      return (flags & 1) === 1 && traceIdOf(read) === traceId && spanIdOf(read) === spanId
    }),
  )
  t.pass()
})

const TRACE_ID = '4bf92f3577b34da6a3ce929d0e0e4736'
const SPAN_ID = '00f067aa0ba902b7'

test('what is no traceparent is none, and later versions may have more', (t) => {
  for (const text of [
    '',
    'ff',
    `ff-${TRACE_ID}-${SPAN_ID}-01`,
    `00-${'0'.repeat(32)}-${SPAN_ID}-01`,
    `00-${TRACE_ID}-${'0'.repeat(16)}-01`,
    `00-${TRACE_ID.toUpperCase()}-${SPAN_ID}-01`,
    `00-${TRACE_ID}-${SPAN_ID}-01-more`,
    `00-${TRACE_ID}-${SPAN_ID}-1`,
    `01-${TRACE_ID}-${SPAN_ID}-01more`,
    ` 00-${TRACE_ID}-${SPAN_ID}-01`,
  ])
    t.is(readTraceparent(text), null, text)
  t.is(readTraceparent(`01-${TRACE_ID}-${SPAN_ID}-01-more`), `00-${TRACE_ID}-${SPAN_ID}-01`)
})

test('what is stored or told by another program is a trace or nothing', (t) => {
  t.is(toTrace(`00-${TRACE_ID}-${SPAN_ID}-01`), `00-${TRACE_ID}-${SPAN_ID}-01`)
  for (const value of [null, undefined, 7, {}, `00-${TRACE_ID}-${SPAN_ID}-00`, 'x']) t.is(toTrace(value), null)
})
