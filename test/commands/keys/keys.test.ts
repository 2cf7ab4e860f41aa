import test from 'ava'
import { createKeys } from '../../../src/commands/keys/keys.ts'
import { World } from '../../helpers/world.ts'
import { codeOf, valueOf } from '../outcomes.ts'

function open() {
  const world = new World()
  const revoked: string[] = []
  const keys = createKeys({ keys: world.keys, revokeCallers: async (id) => void revoked.push(id) })
  return { world, revoked, keys }
}

test("a replaced key is forgotten for its whole number, another tenant's is not found", async (t) => {
  const { world, revoked, keys } = open()
  const key = valueOf(await keys.replace(world.tenantId, world.number.id))
  t.not(key.raw, world.numberKey.raw)
  t.is(codeOf(await keys.replace(world.tenantId, world.foreignNumber.id)), 'NUMBER_NOT_FOUND')
  t.deepEqual(revoked, [world.number.id])
})

test('a regenerated key is forgotten, even when it was replaced meanwhile', async (t) => {
  const { world, revoked, keys } = open()
  const { id } = world.tenantKey
  const caller = await world.keys.authenticateKeyId(id)
  if (!caller) return t.fail("the key is nobody's")
  t.like(valueOf(await keys.regenerate(caller, null)), { kind: 'rotated', key: { scope: 'TENANT' } })
  t.is(codeOf(await keys.regenerate(caller, null)), 'UNAUTHENTICATED')
  t.deepEqual(revoked, [id, id])
})
