import test from 'ava'
import { changingGuard, createAddressGuard, egressEntryFault } from '../../src/net/address-guard.ts'

const REFUSED = [
  '0.0.0.0',
  '0.1.2.3',
  '10.0.0.1',
  '100.64.0.1',
  '127.0.0.1',
  '127.255.255.254',
  '169.254.169.254',
  '172.16.0.1',
  '172.31.255.255',
  '192.0.0.192',
  '192.0.2.1',
  '192.88.99.1',
  '192.168.1.1',
  '198.18.0.1',
  '198.51.100.1',
  '203.0.113.1',
  '224.0.0.1',
  '240.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '::127.0.0.1',
  '::7f00:1',
  '::a00:1',
  '::ffff:127.0.0.1',
  '::ffff:7f00:1',
  '::ffff:10.0.0.1',
  '::ffff:0:127.0.0.1',
  '64:ff9b::7f00:1',
  '64:ff9b::a9fe:a9fe',
  '64:ff9b::8.8.8.8',
  '64:ff9b:1::1',
  '100::1',
  '2001::1',
  '2001:db8::1',
  '2001:10::1',
  '2002:7f00:1::1',
  '2002:a9fe:a9fe::',
  '3fff::1',
  '5f00::1',
  'fc00::1',
  'fd12:3456::1',
  'fe80::1',
  'fe80::1%eth0',
  'fec0::1',
  'ff02::1',
  '4000::1',
  '',
  'localhost',
  '127.1',
  '2130706433',
  '0x7f000001',
  '0177.0.0.1',
]

for (const address of REFUSED) {
  test(`${address || 'nothing'} is not a public address`, (t) => {
    t.false(createAddressGuard([]).isAllowed(address))
  })
}

for (const address of [
  '8.8.8.8',
  '1.1.1.1',
  '93.184.216.34',
  '::ffff:8.8.8.8',
  '2606:4700:4700::1111',
  '2a00:1450:4001::200e',
]) {
  test(`${address} is a public address`, (t) => {
    t.true(createAddressGuard([]).isAllowed(address))
  })
}

test('a CIDR allows its addresses, also in IPv6-mapped form, and no others', (t) => {
  const guard = createAddressGuard(['127.0.0.0/8', ' ::1 ', 'fd00::/8', '10.1.2.3', ''])
  for (const address of ['127.0.0.1', '127.9.9.9', '::ffff:127.0.0.1', '::1', 'fd00::5', '10.1.2.3'])
    t.true(guard.isAllowed(address), address)
  for (const address of ['10.1.2.4', '::7f00:1', '192.168.0.1', 'fc00::1', '169.254.169.254'])
    t.false(guard.isAllowed(address), address)
})

test('an allowed host name may lead to any address, for that name only', (t) => {
  const guard = createAddressGuard(['Files.Internal'])
  t.true(guard.isAllowed('10.0.0.1', 'files.internal'))
  t.true(guard.isAllowed('10.0.0.1', 'FILES.internal.'))
  t.false(guard.isAllowed('10.0.0.1', 'evil-files.internal'))
  t.false(guard.isAllowed('10.0.0.1', 'sub.files.internal'))
  t.false(guard.isAllowed('10.0.0.1'))
})

test('an entry that is no address, CIDR or name is told and refused', (t) => {
  for (const entry of ['10.0.0/8', '300.1.1.1', '10.0.0.0/33', 'http://files', 'a b', '*', '-x', 'files:80']) {
    t.regex(egressEntryFault(entry) ?? '', /neither/, entry)
    t.throws(() => createAddressGuard([entry]), { instanceOf: RangeError })
  }
  for (const entry of ['10.0.0.0/8', '::1', 'fd00::/8', 'localhost', 'files.internal', 'a_b.example.com.'])
    t.is(egressEntryFault(entry), null)
})

test('a guard whose entries change lets through what they say now', (t) => {
  let entries = ['10.0.0.1', 'engine.example']
  const guard = changingGuard(() => entries)
  t.true(guard.isAllowed('10.0.0.1'))
  t.true(guard.isAllowed('10.9.9.9', 'engine.example'))
  t.true(guard.isLifted('engine.example'))
  entries = ['10.0.0.2']
  t.false(guard.isAllowed('10.0.0.1'))
  t.false(guard.isLifted('engine.example'))
  t.true(guard.isAllowed('10.0.0.2'))
})
