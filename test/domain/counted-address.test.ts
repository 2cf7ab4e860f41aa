import test from 'ava'
import { countedAddress } from '../../src/domain/counted-address.ts'

/** An address, and the address or network that it is counted as. */
const CASES: readonly [address: string, counted: string][] = [
  ['203.0.113.9', '203.0.113.9'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:db8:1:2::6', '2001:db8:1:2::/64'],
  ['2001:db8::7', '2001:db8:0:0::/64'],
  ['2001:db8:0:0:1::', '2001:db8:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['::', '0:0:0:0::/64'],
  ['fe80::1:2:3:4', 'fe80:0:0:0::/64'],
  ['', ''],
]

for (const [address, counted] of CASES) {
  test(`"${address}" is counted by "${counted}"`, (t) => t.is(countedAddress(address), counted))
}
