import test from 'ava'
import { isUserId, userIdRefusal } from '../../src/domain/user-id.ts'

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

test('only OFFICIAL numbers address a user by id', (t) => {
  t.is(userIdRefusal('OFFICIAL', 'US.1'), null)
  t.is(userIdRefusal('UNOFFICIAL', '5511988887777'), null)
  t.is(userIdRefusal('UNOFFICIAL', 'US.1')?.code, 'FEATURE_NOT_SUPPORTED')
})
