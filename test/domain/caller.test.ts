import test from 'ava'
import {
  answersOwner,
  boundNumber,
  goesWith,
  inboxAnswersOwner,
  isInReach,
  type Caller,
  type Reach,
} from '../../src/domain/caller.ts'

const LIMITS = { requestsPerMinute: 1, sendsPerMinute: 1 }
const GRANT: Caller = {
  by: 'grant',
  id: 'grt_1',
  userId: 'usr_1',
  tenantId: 'ten_1',
  reach: { at: 'numbers', numberIds: ['num_1', 'num_2'] },
  permissions: new Set(),
  rolePermissions: new Set(),
  limits: LIMITS,
}

test('what a client may do is forgotten with its grant, its person and its numbers, and with no others', (t) => {
  for (const id of ['grt_1', 'usr_1', 'num_1', 'num_2']) t.true(goesWith(GRANT, id), id)
  for (const id of ['grt_2', 'usr_2', 'num_3', 'ten_2', '']) t.false(goesWith(GRANT, id), id)
  const all: Caller = { ...GRANT, reach: { at: 'tenant' } }
  for (const id of ['grt_1', 'usr_1', 'ten_1']) t.true(goesWith(all, id), id)
  t.false(goesWith(all, 'num_1'))
})

const NUMBER = { id: 'num_1', tenantId: 'ten_1', number: '5511988887777', provider: 'OFFICIAL' } as const
const OF_TENANT: Reach = { at: 'tenant' }
const OF_NUMBER: Reach = { at: 'number', number: NUMBER }
const OF_NUMBERS: Reach = { at: 'numbers', numberIds: ['num_1', 'num_2'] }
const NOWHERE: Reach = { at: 'nowhere' }
const ALL = [OF_TENANT, OF_NUMBER, OF_NUMBERS, NOWHERE]

function keyOf(reach: Reach): Caller {
  return { by: 'key', id: 'key_1', tenantId: 'ten_1', reach, permissions: 'all', limits: LIMITS }
}

// [rest.idempotency.5] [oauth.tokens.15]
test('the first answers of a key are those of its number or tenant, those of others are their own', (t) => {
  t.deepEqual(
    ALL.map((reach) => answersOwner(keyOf(reach))),
    ['ten_1', 'num_1', 'key_1', 'key_1'],
  )
  for (const reach of ALL) t.is(answersOwner({ ...GRANT, reach }), 'grt_1')
  t.is(inboxAnswersOwner('ten_1', 'cnv_1'), 'inbox:ten_1:cnv_1')
})

test('a caller may act for the numbers in its reach, and is bound to one number at most', (t) => {
  const inReach = ALL.map((reach) => [isInReach(keyOf(reach), 'num_1'), isInReach(keyOf(reach), 'num_3')])
  t.deepEqual(inReach, [
    [true, true],
    [true, false],
    [true, false],
    [false, false],
  ])
  t.deepEqual(
    ALL.map((reach) => boundNumber(keyOf(reach))),
    [null, 'num_1', null, null],
  )
})

test('a key goes with its number, or with its tenant when it acts for all of it', (t) => {
  const goes = (reach: Reach) => ['key_1', 'ten_1', 'num_1', 'num_3'].filter((gone) => goesWith(keyOf(reach), gone))
  t.deepEqual(ALL.map(goes), [['key_1', 'ten_1'], ['key_1', 'num_1'], ['key_1', 'num_1'], ['key_1']])
  t.false(goesWith({ ...keyOf(OF_NUMBER), userId: 'usr_1' } as Caller, 'usr_1'), 'a key is of no person')
})
