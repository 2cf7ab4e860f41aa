import test from 'ava'
import { goesWith, type Caller } from '../../src/domain/caller.ts'

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
