import test from 'ava'
import { countedBytes, UnaskedConnections } from '../../../media-host/realtime/unasked-connections.ts'

function bytesOf(hex: string): ArrayBuffer {
  return Uint8Array.from(Buffer.from(hex, 'hex')).buffer
}

test('an IPv4 address counts by itself, however it is written, and an IPv6 one by its network', (t) => {
  t.is(countedBytes(bytesOf('7f000001')), countedBytes(bytesOf('00000000000000000000ffff7f000001')))
  t.not(countedBytes(bytesOf('7f000001')), countedBytes(bytesOf('00000000000000000000ffff7f000002')))
  t.is(countedBytes(bytesOf('20010db8000000010000000000000001')), countedBytes(bytesOf('20010db8000000010000000000000002')))
  t.not(countedBytes(bytesOf('20010db8000000010000000000000001')), countedBytes(bytesOf('20010db8000000020000000000000001')))
})

function waiting(mostOfAddress: number, most: number) {
  const unasked = new UnaskedConnections({ mostOfAddress, most })
  const cut: string[] = []
  return { cut, begin: (address: string, name = address) => unasked.begin(address, () => void cut.push(name)) }
}

test('of too many connections of an address, or in all, the oldest is cut', (t) => {
  const { cut, begin } = waiting(2, 4)
  for (const name of ['a1', 'b1', 'a2', 'a3']) begin(name.slice(0, 1), name)
  t.deepEqual(cut, ['a1'])
  for (const name of ['c1', 'd1']) begin(name.slice(0, 1), name)
  t.deepEqual(cut, ['a1', 'b1'])
})

test('who asks is not cut any more and makes room, once however often it is told', (t) => {
  const { cut, begin } = waiting(2, 2)
  const settle = begin('a', 'first')
  begin('a', 'second')
  settle()
  settle()
  begin('a', 'third')
  t.deepEqual(cut, [])
  begin('a', 'fourth')
  t.deepEqual(cut, ['second'])
})
