import test from 'ava'
import { isUserId, addressRefusal } from '../../src/domain/user-id.ts'

test('ids of users are told from phone numbers and from other words', (t) => {
  for (const id of ['US.13491208655302741918', 'US.ENT.11815799212886844830', 'BR.a1', `DE.${'9'.repeat(128)}`])
    t.true(isUserId(id), id)
  for (const text of [
    '5511988887777',
    '+55 11 98888-7777',
    'us.134',
    'USA.1',
    'US.',
    'US.1 2',
    'US.1.2',
    '1@g.us',
    '',
    `DE.${'9'.repeat(129)}`,
    'US.1\n',
  ])
    t.false(isUserId(text), text)
})

test('OFFICIAL numbers know people by user ids, UNOFFICIAL ones by those of the device network', (t) => {
  const [userId, lid] = ['US.1', '123456789012345@lid']
  for (const known of ['5511988887777', userId]) t.is(addressRefusal('OFFICIAL', known), null)
  for (const known of ['5511988887777', lid, '1203@g.us']) t.is(addressRefusal('UNOFFICIAL', known), null)
  t.is(addressRefusal('UNOFFICIAL', userId)?.code, 'FEATURE_NOT_SUPPORTED')
  t.is(addressRefusal('OFFICIAL', lid)?.code, 'FEATURE_NOT_SUPPORTED')
  t.is(
    addressRefusal('UNOFFICIAL', userId)?.message,
    "UNOFFICIAL numbers know people by phone number or the device network's id (...@lid) alone",
  )
  t.is(
    addressRefusal('OFFICIAL', lid)?.message,
    "OFFICIAL numbers know people by phone number or upstream's user id (US.1349...) alone",
  )
})
