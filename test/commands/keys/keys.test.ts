import test from 'ava'
import { regenerateKey } from '../../../src/commands/keys/regenerate.ts'
import { replaceKey } from '../../../src/commands/keys/replace.ts'
import { World } from '../../helpers/world.ts'
import { codeOf, valueOf } from '../outcomes.ts'

function open() {
  const world = new World()
  const revoked: string[] = []
  return { world, revoked, deps: { keys: world.keys, revokeCallers: async (id: string) => void revoked.push(id) } }
}

test("a replaced key is forgotten for its whole number, another tenant's is not found", async (t) => {
  const { world, revoked, deps } = open()
  const key = valueOf(await replaceKey(deps, { tenantId: world.tenantId, numberId: world.number.id }))
  t.not(key.raw, world.numberKey.raw)
  t.is(
    codeOf(await replaceKey(deps, { tenantId: world.tenantId, numberId: world.foreignNumber.id })),
    'NUMBER_NOT_FOUND',
  )
  t.deepEqual(revoked, [world.number.id])
})

test('a regenerated key is forgotten, even when it was replaced meanwhile', async (t) => {
  const { world, revoked, deps } = open()
  const { id } = world.tenantKey
  const caller = await world.keys.authenticateKeyId(id)
  if (!caller) return t.fail("the key is nobody's")
  t.like(valueOf(await regenerateKey(deps, caller, null)), { kind: 'rotated', key: { scope: 'TENANT' } })
  t.is(codeOf(await regenerateKey(deps, caller, null)), 'UNAUTHENTICATED')
  t.deepEqual(revoked, [id, id])
})
