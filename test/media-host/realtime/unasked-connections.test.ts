import test from 'ava'
import { countedBytes, UnaskedConnections } from '../../../media-host/realtime/unasked-connections.ts'

function bytesOf(hex: string): ArrayBuffer {
  return Uint8Array.from(Buffer.from(hex, 'hex')).buffer
}

test('an IPv4 address counts by itself, however it is written, and an IPv6 one by its network', (t) => {
  t.is(countedBytes(bytesOf('7f000001')), countedBytes(bytesOf('00000000000000000000ffff7f000001')))
  t.not(countedBytes(bytesOf('7f000001')), countedBytes(bytesOf('00000000000000000000ffff7f000002')))
  t.is(
    countedBytes(bytesOf('20010db8000000010000000000000001')),
    countedBytes(bytesOf('20010db8000000010000000000000002')),
  )
  t.not(
    countedBytes(bytesOf('20010db8000000010000000000000001')),
    countedBytes(bytesOf('20010db8000000020000000000000001')),
  )
})

test('connections are bounded by address and in total; a request makes room for its address, an end makes room in total', (t) => {
  const unasked = new UnaskedConnections({ mostOfAddress: 2, most: 4 })
  const begun = (address: string) => {
    const may = unasked.begin(address)
    // A connection that is not admitted ends at once.
    if (!may) unasked.end()
    return may
  }
  t.deepEqual(['a', 'a', 'a', 'b'].map(begun), [true, true, false, true])
  unasked.settle('a')
  t.deepEqual(['a', 'c'].map(begun), [true, false])
  unasked.end()
  t.true(begun('c'))
})

test('a connection whose address was unknown when it made its request counts no longer than other connections are open', (t) => {
  const unasked = new UnaskedConnections({ mostOfAddress: 1, most: 4 })
  t.true(unasked.begin('a'))
  unasked.settle('')
  t.false(unasked.begin('a'))
  unasked.end()
  unasked.end()
  t.true(unasked.begin('a'))
})
