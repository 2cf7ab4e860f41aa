import test from 'ava'
import { createClientAddress } from '../../src/net/client-address.ts'

const clientAddress = createClientAddress(['10.0.0.0/8', '192.0.2.7', 'fd00::/8', '::ffff:172.16.0.0/108'])

/** The peer's address, the x-forwarded-for header, the address that counts, and why. */
const CASES: [string, string | undefined, string, string][] = [
  ['203.0.113.9', '198.51.100.1', '203.0.113.9', 'a peer that is no proxy names nobody'],
  ['10.0.0.1', undefined, '10.0.0.1', 'a proxy that says nothing'],
  ['10.0.0.1', '', '10.0.0.1', 'an empty header'],
  ['10.0.0.1', '198.51.100.1', '198.51.100.1', 'one hop'],
  ['10.0.0.1', '1.1.1.1, 2.2.2.2, 198.51.100.1', '198.51.100.1', 'what the client wrote itself is not reached'],
  ['10.0.0.1', '198.51.100.1, 192.0.2.7, 10.9.9.9', '198.51.100.1', 'a chain of proxies'],
  ['10.0.0.1', '10.0.0.2, 10.0.0.3', '10.0.0.2', 'proxies all the way'],
  ['::ffff:10.0.0.1', '198.51.100.1', '198.51.100.1', 'a peer in IPv6 clothes'],
  ['::ffff:203.0.113.9', undefined, '203.0.113.9', 'one address, one text'],
  ['10.0.0.1', '::ffff:198.51.100.1', '198.51.100.1', 'an entry in IPv6 clothes'],
  ['172.16.4.4', '198.51.100.1', '198.51.100.1', 'a range in IPv6 clothes'],
  ['fd00::1', '2001:DB8:0:0::7', '2001:db8::7', 'IPv6, in one spelling'],
  ['fd00::1', '[2001:db8::7]:4711', '2001:db8::7', 'IPv6 with a port'],
  ['10.0.0.1', '198.51.100.1:4711', '198.51.100.1', 'IPv4 with a port'],
  ['10.0.0.1', '198.51.100.1, unknown', '10.0.0.1', 'garbage ends the walk'],
  ['10.0.0.1', '198.51.100.1, , 10.0.0.2', '10.0.0.2', 'an empty entry ends the walk'],
  ['10.0.0.1', '198.51.100.1, 0x0a000002', '10.0.0.1', 'no address in other spellings'],
  ['10.0.0.1', '127.1', '10.0.0.1', 'no shorthand'],
  ['10.0.0.1', '010.0.0.2', '10.0.0.1', 'no octal'],
  ['10.0.0.1', '1.1.1.1\n10.0.0.2', '10.0.0.1', 'no line breaks'],
  ['', undefined, '', 'a socket that is gone'],
]

for (const [peer, forwardedFor, expected, title] of CASES) {
  test(`x-forwarded-for: ${title}: ${peer} saying ${JSON.stringify(forwardedFor)} is ${expected}`, (t) =>
    t.is(clientAddress(peer, forwardedFor), expected))
}

test('without trusted proxies the header is not looked at', (t) => {
  t.is(createClientAddress([])('127.0.0.1', '198.51.100.1'), '127.0.0.1')
})

test('a header of a thousand trusted hops is walked once', (t) => {
  t.is(clientAddress('10.0.0.1', `198.51.100.1,${'10.0.0.2,'.repeat(1_000)}10.0.0.3`), '198.51.100.1')
})
